// How isolated work stands, as lines. Pure.

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

function names(value: unknown): string {
  const all = list(value).flatMap((item) => oneLine(item, NAME_CHARS) || []);
  const more = all.length > NAMED ? `, … (${all.length})` : "";
  return all.length === 0 ? "?" : `${all.slice(0, NAMED).join(", ")}${more}`;
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
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
    t("integration.stuck", { branch: word(each.branch, WORD_CHARS), why: word(each.why, WORD_CHARS) }),
  );
  const leftOut = records(payload.leftOut).map((each) =>
    t("integration.left_out", { branch: word(each.branch, WORD_CHARS), files: names(each.files) }),
  );
  const why = word(payload.blocked, WORD_CHARS);
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
