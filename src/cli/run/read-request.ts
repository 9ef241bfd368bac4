// Where the request comes from: the words of the command line, a pipe, or a question to the person.

import type { Translator } from "../../config/locale/translator.ts";
import type { CommandContext } from "../command-context.ts";
import { type LineSource, MAX_REQUEST_BYTES, readWhole } from "./line-source.ts";
import { openLines } from "./open-lines.ts";

/** The request, and the standard input that is left for answers. */
export type RequestRead =
  | { readonly kind: "request"; readonly request: string; readonly lines: LineSource | undefined }
  /** A usage error, in words. */
  | { readonly kind: "unusable"; readonly words: string };

/** That more came on standard input than is taken. */
export function tooLargeWords(t: Translator): string {
  return t("usage.too_large", { limit: `${MAX_REQUEST_BYTES / 1_000_000} MB` });
}

async function askPerson(context: CommandContext): Promise<RequestRead> {
  const { t } = context;
  const lines = openLines(context);
  const request = (await lines.ask(`? ${t("ask.what")}`))?.trim() ?? "";
  if (request !== "") return { kind: "request", request, lines };
  lines.close();
  return { kind: "unusable", words: t("usage.nothing_asked") };
}

/**
 * Read the request. Words given: standard input is for answers. None given: a pipe holds it; a terminal is asked,
 * unless there is something to go on with (`mayBeEmpty`).
 */
export async function readRequest(context: CommandContext, mayBeEmpty: boolean): Promise<RequestRead> {
  const { io, command } = context;
  if (command.request !== "") return { kind: "request", request: command.request, lines: openLines(context) };
  if (io.inIsTty) {
    if (!mayBeEmpty) return askPerson(context);
    return { kind: "request", request: "", lines: openLines(context) };
  }
  const whole = await readWhole(io.stdin);
  if (whole.kind === "too_large") return { kind: "unusable", words: tooLargeWords(context.t) };
  const request = whole.kind === "text" ? whole.text.trim() : "";
  if (request === "" && !mayBeEmpty) return { kind: "unusable", words: context.t("usage.nothing_asked") };
  // All of it was the request: nobody is left to answer.
  return { kind: "request", request, lines: undefined };
}
