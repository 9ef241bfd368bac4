// Where a person types: a terminal flower may draw on, a terminal that only prints, or a pipe.

import { fstatSync } from "node:fs";
import type { CommandContext } from "../command-context.ts";
import type { Io } from "../io.ts";
import { createPaint, wantsColours } from "../screen/paint.ts";
import type { LineSource } from "./line-source.ts";
import { LiveLines } from "./live-lines.ts";
import { PlainLines } from "./plain-lines.ts";

/** Who may draw on the terminal. */
export interface DrawingInput {
  readonly inIsTty: boolean;
  /** The terminal that would be drawn on is one. */
  readonly echoIsTty: boolean;
  /** Standard output is that terminal too, or a file: whatever else it leads to may print on the terminal by itself. */
  readonly outIsQuiet: boolean;
  readonly term: string | undefined;
  readonly platform: NodeJS.Platform;
}

/** Whether a line may be kept at the bottom of the screen. */
export function canDraw({ inIsTty, echoIsTty, outIsQuiet, term, platform }: DrawingInput): boolean {
  if (!inIsTty || !echoIsTty || !outIsQuiet) return false;
  // A Windows console names itself nowhere; elsewhere a terminal without a name can do no more than print.
  return platform === "win32" ? term !== "dumb" : term !== undefined && term !== "" && term !== "dumb";
}

/** A pipe behind standard output, as in `flower … | tee log`, may end on the very same screen. */
function outIsQuiet(io: Io): boolean {
  if (io.outIsTty) return true;
  try {
    const out = fstatSync(1);
    return out.isFile() || out.isCharacterDevice();
  } catch {
    return false;
  }
}

/** The line source of an invocation. It is heard from now on, and on a terminal keeps Ctrl-C for flower alone. */
export function openLines({ io, command }: Pick<CommandContext, "io" | "command">): LineSource {
  const { echo, inIsTty, env } = io;
  const drawing = {
    inIsTty,
    echoIsTty: echo !== undefined,
    outIsQuiet: outIsQuiet(io),
    term: env.TERM,
    platform: process.platform,
  };
  if (echo === undefined || !canDraw(drawing)) {
    return new PlainLines(io.stdin, inIsTty ? (text) => (echo ?? process.stderr).write(text) : undefined);
  }
  const paint = createPaint(wantsColours({ isTty: true, noColor: command.globals.noColor, env }));
  const lines = new LiveLines({ input: io.stdin, output: echo }, paint);
  io.printOn((line) => lines.print(line));
  lines.onClosed = () => io.printOn(undefined);
  return lines;
}
