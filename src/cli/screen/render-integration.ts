// How isolated work stands, as lines. Pure.

import { sayWords, type Translator } from "../../config/locale/translator.ts";
import { readWords } from "../../config/locale/words.ts";
import { isRecord } from "../../core/json.ts";
import { oneLine } from "../../core/text.ts";
import type { EventOf } from "../../events/event.ts";
import { marked } from "./layout.ts";
import { list, number, word } from "./payload.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

/** Files and branches named in a line. */
const NAMED = 5;
/** Characters of each, and of anything else that is named alone. */
const NAME_CHARS = 80;
const WORD_CHARS = 200;

/** Names for a line: a few, each on one line; a sign where there are none. */
export function names(value: unknown): string {
  const all = list(value).flatMap((item) => oneLine(item, NAME_CHARS) || []);
  const more = all.length > NAMED ? `, … (${all.length})` : "";
  return all.length === 0 ? "?" : `${all.slice(0, NAMED).join(", ")}${more}`;
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A reason as data, else as it was told in English. */
function reason(words: unknown, english: unknown, t: Translator): string {
  const read = readWords(words);
  return (read === undefined ? undefined : sayWords(t, read)) ?? word(english, WORD_CHARS);
}

/** The worktrees of isolated workers: a line each. */
export function worktreeWords(worktrees: unknown, { t }: View): readonly string[] {
  return records(worktrees).map(({ path, branch, commits, files }) =>
    t("notice.worktree", {
      path: word(path, WORD_CHARS),
      branch: word(branch, WORD_CHARS),
      commits: number(commits),
      count: Array.isArray(files) ? files.length : 0,
      files: names(files),
    }),
  );
}

/** What a person can still do about the work of a run: the branch it is on, and how to bring it in. */
export interface WaitingWork {
  readonly branch: string;
  /** Name of its worktree, as the command takes it. */
  readonly name: string;
  /** Branch of the checkout. */
  readonly base: string;
  readonly path: string;
  readonly commits: number;
  readonly files: number;
}

/** Read the work that waits from an event; undefined where there is none. */
export function readWaitingWork(payload: Readonly<Record<string, unknown>>): WaitingWork | undefined {
  const { branch, base, path, commits, files } = payload;
  if (typeof branch !== "string" || typeof path !== "string" || typeof base !== "string") return undefined;
  return {
    branch,
    name: branch.replaceAll("/", "-"),
    base,
    path,
    commits: number(commits),
    files: Array.isArray(files) ? files.length : 0,
  };
}

function warnings({ payload }: EventOf<"task">, { t }: View): string[] {
  const conflicts = records(payload.conflicts).map((conflict) => {
    const [branch, files] = [word(conflict.branch, WORD_CHARS), names(conflict.files)];
    const hasOthers = Array.isArray(conflict.with) && conflict.with.length > 0;
    if (!hasOthers) return t("integration.conflict", { branch, files });
    return t("integration.conflict_with", { branch, files, others: names(conflict.with) });
  });
  const stuck = records(payload.stuck).map((each) =>
    t("integration.stuck", { branch: word(each.branch, WORD_CHARS), why: reason(each.words, each.why, t) }),
  );
  const leftOut = records(payload.leftOut).map((each) =>
    t("integration.left_out", { branch: word(each.branch, WORD_CHARS), files: names(each.files) }),
  );
  const why = reason(payload.blockedWords, payload.blocked, t);
  return [...(why === "" ? [] : [t("integration.blocked", { why })]), ...conflicts, ...stuck, ...leftOut];
}

/** The lines of an `integration` notice. */
export function renderIntegration(event: EventOf<"task">, view: View): string[] {
  const { t, width } = view;
  const work = readWaitingWork(event.payload);
  const kept = word(event.payload.kept, WORD_CHARS);
  return [
    ...(work === undefined ? [] : marked("# ", t("integration.state", { ...work }), width)),
    ...(work === undefined ? [] : marked("  ", oneLine(work.path, 300), width)),
    ...(kept === "" ? [] : marked("  ", t("integration.kept", { commit: kept }), width)),
    ...warnings(event, view).flatMap((line) => toned(view, "notice", "! ", line)),
  ];
}
