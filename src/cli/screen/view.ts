// View: everything that decides how things are shown, as plain data.

import type { Translator } from "../../config/locale/translator.ts";
import type { Paint } from "./paint.ts";

/** How things are shown. */
export interface View {
  readonly t: Translator;
  readonly width: number;
  /** Worker prose, thoughts, successful results and prompts too. */
  readonly verbose: boolean;
  readonly paint: Paint;
}
