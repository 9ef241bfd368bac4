// Reads a secret from a terminal without showing it.

import type { Io } from "../io.ts";
import type { LineSource } from "./line-source.ts";

/** Runs work while the terminal does not echo; the terminal is put back whatever happens. */
async function withoutEcho<T>(stdin: NodeJS.ReadStream, work: () => Promise<T>): Promise<T> {
  const before = stdin.isRaw;
  stdin.setRawMode(true);
  try {
    return await work();
  } finally {
    stdin.setRawMode(before);
  }
}

/** What a key does to the text so far. */
export type Typed =
  | { readonly kind: "more"; readonly text: string }
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "left" };

/** Take in characters as a terminal in raw mode gives them. Pure. */
export function typeHidden(before: string, chunk: string): Typed {
  let text = before;
  // The frame some terminals put round a paste.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that frame is made of control characters
  for (const char of chunk.replace(/\x1b\[20[01]~/g, "")) {
    if (char === "\r" || char === "\n") return { kind: "done", text };
    if (char === "\u0003" || char === "\u0004") return { kind: "left" };
    if (char === "\u007f" || char === "\b") text = [...text].slice(0, -1).join("");
    else if (char === "\u0015") text = "";
    else if (char >= " ") text += char;
  }
  return { kind: "more", text };
}

/** Ask for a secret; Ctrl-C and Ctrl-D give an empty one. */
export async function askHidden(
  dialog: { readonly io: Io; readonly lines: LineSource },
  question: string,
): Promise<string> {
  const { io, lines } = dialog;
  io.echo?.write(question);
  const secret = await withoutEcho(
    io.stdin,
    () =>
      new Promise<string>((resolve) => {
        let text = "";
        lines.intercept((chunk) => {
          const typed = typeHidden(text, chunk);
          if (typed.kind === "more") {
            text = typed.text;
            return;
          }
          lines.intercept(undefined);
          resolve(typed.kind === "done" ? typed.text : "");
        });
      }),
  );
  io.echo?.write("\n");
  return secret;
}
