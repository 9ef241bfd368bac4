// How things are shown on the screen of an invocation.

import type { CommandContext } from "../command-context.ts";
import { usableWidth } from "../screen/layout.ts";
import { createPaint, wantsColours } from "../screen/paint.ts";
import type { View } from "../screen/view.ts";

/** The view of this screen as it is now: a window may have another width each time. `folder` as in {@link View}. */
export function viewOf({ io, t, command }: CommandContext, folder = ""): View {
  const { noColor, verbose } = command.globals;
  const colours = wantsColours({ isTty: io.outIsTty, noColor, env: io.env });
  return { t, verbose, width: usableWidth(io.columns()), folder, paint: createPaint(colours) };
}
