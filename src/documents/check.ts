// One item of a goal's checklist, read: what a person reads, the command that decides it, and what is expected of it.

/** What a check's command must bring about, compared by flower itself; `prose` is for the judge, beside the exit code. */
export type Expectation =
  /** Standard output contains it, case-sensitive, colours stripped. */
  | { readonly kind: "prints"; readonly text: string }
  /** Standard output is it, both trimmed. */
  | { readonly kind: "prints_exactly"; readonly text: string }
  | { readonly kind: "prints_not"; readonly text: string }
  | { readonly kind: "matches"; readonly pattern: string; readonly flags: string }
  | { readonly kind: "exits"; readonly code: number }
  /** The exit code is anything but 0. */
  | { readonly kind: "fails" }
  /** The path, against the folder the command runs in, is there afterwards. */
  | { readonly kind: "creates"; readonly path: string }
  | {
      readonly kind: "prose";
      readonly text: string;
      /** The words speak of an exit code or of an error: the judge decides on the exit code as well. */
      readonly anyExit?: true;
    }
  /** All of them; never one inside another. */
  | { readonly kind: "all"; readonly parts: readonly Part[] };

/** An expectation that is not made of others. */
export type Part = Exclude<Expectation, { readonly kind: "all" }>;

/** A checklist item in parts. */
export interface Check {
  /** The item as it stands in the goal. */
  readonly text: string;
  readonly command?: string;
  /** Only beside a command. Unless it names an exit code, 0 is expected as well. */
  readonly expect?: Expectation;
}

/** What is expected, part by part; empty when nothing is beyond exit code 0. */
export function partsOf(expect: Expectation | undefined): readonly Part[] {
  if (expect === undefined) return [];
  return expect.kind === "all" ? expect.parts : [expect];
}

/** Whether the judge has something to decide on although the command decides on the rest. */
export function isLeftToJudge({ command, expect }: Check): boolean {
  return command === undefined || partsOf(expect).some(({ kind }) => kind === "prose");
}
