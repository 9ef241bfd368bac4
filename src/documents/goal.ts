// The goal: one statement and the checklist a judge rules by, frozen before the work begins.

import {
  checkFields,
  listField,
  loadDocument,
  renderBody,
  renderSection,
  SectionedDocument,
  textField,
} from "./document.ts";
import { createOutline } from "./headings.ts";
import { isUnverifiable, oneItem, parseItems } from "./items.ts";
import { escapeLine, safeText } from "./lines.ts";
import { EMPTY, isBlank, NOT_FILLED } from "./placeholders.ts";
import { splitSections, textOf } from "./sections.ts";

/** What a {@link Goal} is made of; a field left out is empty. */
export interface GoalFields {
  /** What will be true when it is done, one sentence. */
  readonly statement?: string | undefined;
  /** The checklist. */
  readonly checks?: readonly string[] | undefined;
  /** The file it was read from. */
  readonly path?: string | undefined;
}

const STATEMENT = "Goal";
const CHECKS = "Checklist";
const OUTLINE = createOutline<"statement" | "checks">([
  { field: "statement", title: STATEMENT, aliases: ["Goals", "目标", "Objetivo", "Objetivos", "Meta"] },
  { field: "checks", title: CHECKS, aliases: ["Checks", "判定清单", "清单", "Lista de verificação"] },
]);

/** Items as a numbered list, each on one line: failed checks are named by their number. */
function numbered(items: readonly string[]): string {
  return items.map((item, index) => escapeLine(`${index + 1}. ${oneItem(safeText(item))}`)).join("\n");
}

/**
 * What counts as done: a statement and at least one check.
 * @example
 * ```ts
 * import { Goal } from "flower-agent";
 *
 * const goal = new Goal({ statement: "A word counter.", checks: ["`node wc.mjs a.txt` -> prints exactly 3"] });
 * console.log(goal.complete(), goal.checks.length);
 * ```
 */
export class Goal extends SectionedDocument {
  readonly statement: string;
  readonly checks: readonly string[];

  /** @throws OptionError for a key that is not known or a value of the wrong type. */
  constructor(fields: GoalFields = {}) {
    super();
    checkFields(fields, ["statement", "checks", "path"], "Goal");
    this.statement = textField(fields.statement, "statement");
    this.checks = listField(fields.checks, "checks");
    this.path = fields.path;
  }

  /**
   * Read a goal from any text; what it cannot find is empty.
   * @param text - what the judge wrote
   */
  static parse(text: string): Goal {
    const sections = splitSections(text, OUTLINE);
    return new Goal({
      statement: textOf(sections, "statement"),
      checks: parseItems(textOf(sections, "checks")),
    });
  }

  /**
   * Load a goal; undefined when there is no readable file.
   * @param path - the file
   */
  static load(path: string): Goal | undefined {
    return loadDocument(path, Goal.parse);
  }

  /** The checks nobody can verify where the run is, by their mark `[cannot verify here: …]` at the end. */
  get unverifiable(): readonly string[] {
    return this.checks.filter(isUnverifiable);
  }

  override missing(): readonly string[] {
    const missing: string[] = [];
    if (isBlank(this.statement)) missing.push(STATEMENT);
    if (this.#filledChecks().length === 0) missing.push(CHECKS);
    return missing;
  }

  override toMarkdown(): string {
    const checks = this.#filledChecks();
    return [
      renderSection(STATEMENT, isBlank(this.statement) ? NOT_FILLED : renderBody(this.statement)),
      renderSection(CHECKS, checks.length === 0 ? EMPTY : numbered(checks)),
    ].join("\n");
  }

  override promptBlock(): string {
    const checks = this.#filledChecks();
    const sections = [
      isBlank(this.statement) ? "" : renderSection(STATEMENT, renderBody(this.statement)),
      checks.length === 0 ? "" : renderSection(CHECKS, numbered(checks)),
    ];
    return sections
      .filter((section) => section !== "")
      .join("\n")
      .trimEnd();
  }

  /**
   * The same goal with a person's change below its statement, which is not rewritten.
   * @param extra - checks to add
   */
  amend(extra: string): Goal {
    if (extra.trim() === "") return this;
    const statement = `${this.statement}\n\n(amended) ${extra.trim()}`.trim();
    return new Goal({ statement, checks: this.checks, path: this.path });
  }

  #filledChecks(): readonly string[] {
    return this.checks.filter((check) => !isBlank(check));
  }
}
