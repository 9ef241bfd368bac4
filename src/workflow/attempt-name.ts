// How the attempts of a step are named in books and events, and how such a name is read back. The one place for both.

/** A name read back. */
export interface Attempt {
  /** Name of the step; of a judge called by a name of its own (`other`), that name. */
  readonly step: string;
  /** `other`: a judge called by a name of its own, or a step whose own name ends like that. */
  readonly kind: "first" | "retry" | "round" | "verdict" | "other";
  /** Which retry, round or ruling; 0 for the first attempt, and for a verdict before any work. */
  readonly number: number;
}

/** Anchored at the end, so that a step may be called `build:api` or `issue#a`. */
const AGAIN = /^(.+)#(retry|round)(\d{1,6})$/su;
const RULING = /^(.+)#(\d{1,6})(?:\.second)?(?:\.again)?$/su;
const JUDGE = ":verdict";

/** Name of a step's further attempt from the start. */
export function retryName(step: string, number: number): string {
  return `${step}#retry${number}`;
}

/** Name of a step's further round, in the session that was rejected. */
export function roundName(step: string, number: number): string {
  return `${step}#round${number}`;
}

/** Name of the judge of a step. */
export function judgeName(step: string): string {
  return `${step}${JUDGE}`;
}

/** Name of one ruling of a judge; `suffix` tells further ones of the same round apart: `.again`, `.second`. */
export function rulingName(judge: string, number: number, suffix = ""): string {
  return `${judge}#${number}${suffix}`;
}

/** Read a name of books or events. Never throws: what is no name of a further attempt is one of a first. */
export function readAttempt(name: string): Attempt {
  const [, step, kind, number] = AGAIN.exec(name) ?? [];
  if (step !== undefined) return { step, kind: kind === "retry" ? "retry" : "round", number: Number(number) };
  const [, judge, ruling] = RULING.exec(name) ?? [];
  if (judge === undefined) return { step: name, kind: "first", number: 0 };
  const judged = judge.endsWith(JUDGE) ? judge.slice(0, -JUDGE.length) : "";
  return judged === ""
    ? { step: judge, kind: "other", number: Number(ruling) }
    : { step: judged, kind: "verdict", number: Number(ruling) };
}

/** The step an attempt belongs to, as far as its name tells; any other name stays whole. */
export function stepOfAttempt(name: string): string {
  const { kind, step } = readAttempt(name);
  return kind === "other" ? name : step;
}
