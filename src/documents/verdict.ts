// The verdict: what a judge ruled on one round, and what the work is told when it goes back.

import { OptionError } from "../core/errors.ts";
import { readConclusion, type VerdictState } from "./conclusion.ts";
import {
  checkFields,
  listField,
  loadDocument,
  renderBody,
  renderSection,
  SectionedDocument,
  textField,
} from "./document.ts";
import { createOutline, fold } from "./headings.ts";
import { keepNumbers, oneItem, parseItems } from "./items.ts";
import { escapeLine, safeText } from "./lines.ts";
import { EMPTY, isBlank, NONE, NOT_FILLED } from "./placeholders.ts";
import { type Sections, splitSections, textOf } from "./sections.ts";

export type { VerdictState } from "./conclusion.ts";

type Field = "state" | "reason" | "failed";

/** What a {@link Verdict} is made of; a field left out is empty. */
export interface VerdictFields {
  /** What was ruled. */
  readonly state?: VerdictState | undefined;
  /** Why, in the judge's words. */
  readonly reason?: string | undefined;
  /** Checks that did not pass. */
  readonly failed?: readonly string[] | undefined;
  /** The file it was read from. */
  readonly path?: string | undefined;
}

const OUTLINE = createOutline<Field>([
  { field: "state", title: "Conclusion", aliases: ["Verdict", "结论", "判定", "Conclusão", "Veredito"] },
  { field: "reason", title: "Reason", aliases: ["Reasons", "理由", "Motivo", "Razão"] },
  {
    field: "failed",
    title: "Not passed",
    aliases: ["Failed", "Failed checks", "未通过", "Não aprovados"],
  },
]);
const WORDS: Readonly<Record<VerdictState, string>> = {
  achieved: "achieved",
  not_yet: "not yet",
  unreachable: "unreachable",
  "": NOT_FILLED,
};
/** An item that says the list is empty. */
const NOTHING_FAILED =
  /^[(（]?(?:none|nothing|nil|n\/?a|-|—|all (?:\d{1,4} )?(?:checks |items |criteria )?(?:have |were |are )?(?:passed|pass|met|ok)|无|没有|全部通过|均通过|nenhum[ao]?|nada|todos (?:os itens )?(?:passaram|aprovados))[)）]?[.!。]?$/;
/** A sentence that only introduces the verdict fenced below it. */
const INTRODUCTION =
  /^(?:(?:here is|here's|this is|below is) )?(?:my|the) (?:final )?(?:verdict|conclusion|ruling|judge?ment)(?: is)?(?: as)?(?: follows)?[:.]?$|^(?:以下是|下面是)?(?:我的)?(?:最终)?(?:判定|结论)(?:如下)?[:：。]?$|^(?:aqui esta |segue )?(?:o )?(?:meu )?(?:veredito|conclusao)[:.]?$/;

/**
 * One ruling of a judge: achieved, not yet, or unreachable (cannot be verified or done here).
 * @example
 * ```ts
 * import { Verdict } from "flower-agent";
 *
 * const verdict = Verdict.load("verdict.md");
 * if (verdict?.state === "not_yet") console.log(verdict.failed.join("\n"));
 * ```
 */
export class Verdict extends SectionedDocument {
  /** "" when no conclusion was found, which counts as not achieved. */
  readonly state: VerdictState;
  readonly reason: string;
  readonly failed: readonly string[];

  /** @throws OptionError for a key that is not known, a value of the wrong type, or a state there is not. */
  constructor(fields: VerdictFields = {}) {
    super();
    checkFields(fields, ["state", "reason", "failed", "path"], "Verdict");
    this.state = stateField(fields.state);
    this.reason = textField(fields.reason, "reason");
    this.failed = listField(fields.failed, "failed");
    this.path = fields.path;
  }

  /**
   * Read a verdict from any text. Whatever is doubtful, hypothetical or contradicts itself has no state.
   * @param text - what the judge wrote
   */
  static parse(text: string): Verdict {
    const sections = splitSections(text, OUTLINE);
    const said = conclusionOf(sections);
    const state = ruling(sections, readConclusion(said));
    const reason = textOf(sections, "reason");
    const saysWhy = state !== "" && reason === "" && saysMore(said, state);
    return new Verdict({
      state,
      reason: saysWhy ? said : reason,
      failed: parseItems(keepNumbers(textOf(sections, "failed"))).filter(
        (item) => !NOTHING_FAILED.test(fold(item)),
      ),
    });
  }

  /**
   * Load a verdict; undefined when there is no readable file.
   * @param path - the file
   */
  static load(path: string): Verdict | undefined {
    return loadDocument(path, Verdict.parse);
  }

  /** Ruled achieved, and no check named that did not pass. */
  get achieved(): boolean {
    return this.state === "achieved" && this.#filledFailed().length === 0;
  }

  /** Ruled that it cannot be verified or done here: a person has to decide. */
  get unreachable(): boolean {
    return this.state === "unreachable";
  }

  /** Was a conclusion found? Without one nothing is ever achieved. */
  get ok(): boolean {
    return this.state !== "";
  }

  override missing(): readonly string[] {
    return this.ok ? [] : ["Conclusion"];
  }

  override toMarkdown(): string {
    return [
      renderSection("Conclusion", WORDS[this.state]),
      renderSection("Reason", isBlank(this.reason) ? EMPTY : renderBody(this.reason)),
      renderSection("Not passed", this.#failedList() || NONE),
    ].join("\n");
  }

  override promptBlock(): string {
    const failed = this.#failedList();
    const sections = [
      this.ok ? renderSection("Conclusion", WORDS[this.state]) : "",
      isBlank(this.reason) ? "" : renderSection("Reason", renderBody(this.reason)),
      failed === "" ? "" : renderSection("Not passed", failed),
    ];
    return sections
      .filter((section) => section !== "")
      .join("\n")
      .trimEnd();
  }

  /** What the work is told when it goes back: what is missing, never how to mend it. "" when it is achieved. */
  feedback(): string {
    if (this.achieved) return "";
    const failed = this.#failedList();
    const parts = [
      this.#ruled(),
      isBlank(this.reason) ? "" : `Reason:\n${renderBody(this.reason)}`,
      failed === "" ? "" : `Not passed:\n${failed}`,
      failed === "" && isBlank(this.reason)
        ? "No reason was given: check every item of the goal yourself."
        : "",
    ];
    return parts.filter((part) => part !== "").join("\n\n");
  }

  #ruled(): string {
    if (this.state === "achieved")
      return "The judge wrote achieved and named checks that did not pass: not achieved.";
    if (this.state === "unreachable") return "The judge ruled: this cannot be verified or done here.";
    if (this.state === "not_yet") return "The judge ruled: not yet achieved.";
    return "The judge gave no clear conclusion, which counts as not achieved.";
  }

  #filledFailed(): readonly string[] {
    return this.failed.filter((item) => !isBlank(item));
  }

  #failedList(): string {
    return this.#filledFailed()
      .map((item) => escapeLine(`- ${oneItem(safeText(item))}`))
      .join("\n");
  }
}

function stateField(state: unknown): VerdictState {
  if (state === undefined) return "";
  if (typeof state === "string" && Object.hasOwn(WORDS, state)) return state as VerdictState;
  throw new OptionError(`Verdict: there is no state "${String(state)}"`, {
    code: "bad_state",
    hint: 'use "achieved", "not_yet", "unreachable" or ""',
  });
}

/**
 * Where the ruling stands: in the conclusion, or, when there is no such heading, anywhere in the text. A
 * failed request is no judge's word, whatever words it holds.
 */
function conclusionOf(sections: Sections<Field>): string {
  if (sections.occurrences.some(({ field }) => field === "state")) return textOf(sections, "state");
  const prose = sections.prose.join("\n").trim();
  return /^api error\b/i.test(prose) ? "" : prose;
}

/** "Achieved" stands only if no later conclusion and no prose around a fenced one speaks against it. */
function ruling(sections: Sections<Field>, state: VerdictState): VerdictState {
  if (state !== "achieved") return state;
  const conclusions = sections.occurrences.filter(({ field, text }) => field === "state" && !isBlank(text));
  if (conclusions.some(({ text }) => readConclusion(text) !== "achieved")) return "";
  const around = sections.around;
  if (around === undefined || (around.before === "" && around.after === "")) return state;
  return around.after === "" && INTRODUCTION.test(fold(around.before)) ? state : "";
}

/** Does the conclusion hold more than its word? Then it is the reason when no other was given. */
function saysMore(conclusion: string, state: VerdictState): boolean {
  const letters = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, "");
  return letters(conclusion).length > letters(WORDS[state]).length + 8;
}
