// View: everything that decides how things are shown, as plain data.

import type { Translator } from "../../config/locale/translator.ts";
import type { Paint } from "./paint.ts";

/** How things are shown. */
export interface View {
  readonly t: Translator;
  readonly width: number;
  /** The workspace, whose files are named without it; empty when there is none. */
  readonly folder: string;
  /** Worker prose, thoughts, successful results and prompts too. */
  readonly verbose: boolean;
  readonly paint: Paint;
}
