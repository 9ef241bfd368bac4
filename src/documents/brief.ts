// The brief: what the person wants, in four sections, frozen once it is complete.

import { appendFileSync, existsSync } from "node:fs";
import { DiskError, errorText } from "../core/errors.ts";
import { withLock } from "../core/lock.ts";
import { amendmentsPrompt, amendmentText, renderAmendments, splitAmendments } from "./amendments.ts";
import {
  checkFields,
  loadDocument,
  renderBody,
  renderSection,
  SectionedDocument,
  textField,
} from "./document.ts";
import { createOutline } from "./headings.ts";
import { isBlank, isUnfilled, NOT_FILLED } from "./placeholders.ts";
import { splitLines, textOf } from "./sections.ts";

type Field = "goal" | "accept" | "bounds" | "unknowns";

/** What a {@link Brief} is made of; a field left out is empty. */
export interface BriefFields {
  /** What will be true when it is done, and for whom. */
  readonly goal?: string | undefined;
  /** How the person will tell that it is done. */
  readonly accept?: string | undefined;
  /** What must not be touched and what is no part of it. */
  readonly bounds?: string | undefined;
  /** What is open, and what was assumed. */
  readonly unknowns?: string | undefined;
  /** What the person said after it was frozen, as it stands below the sections. */
  readonly amendments?: string | undefined;
  /** The file it was read from. */
  readonly path?: string | undefined;
}

const OUTLINE = createOutline<Field>([
  { field: "goal", title: "Goal", aliases: ["Goals", "目标", "Objetivo", "Objetivos", "Meta"] },
  {
    field: "accept",
    title: "Acceptance criteria",
    aliases: ["Acceptance", "验收标准", "验收条件", "Critérios de aceitação"],
  },
  {
    field: "bounds",
    title: "Boundaries",
    aliases: ["Out of scope", "边界", "不做什么", "Limites", "Fronteiras"],
  },
  {
    field: "unknowns",
    title: "Unknowns and assumptions",
    aliases: [
      ...["Unknowns", "Assumptions", "未知与假设", "未知项与假设", "未知"],
      ...["Incógnitas e suposições", "Desconhecidos e suposições"],
    ],
  },
]);

/** "(none)" is an answer where nothing may be what the person wants: no boundaries, nothing unknown. */
const IS_EMPTY: Readonly<Record<Field, (text: string) => boolean>> = {
  goal: isBlank,
  accept: isBlank,
  bounds: isUnfilled,
  unknowns: isUnfilled,
};

/**
 * What the person wants: goal, acceptance criteria, boundaries, unknowns and assumptions. All four are required.
 * @example
 * ```ts
 * import { Brief } from "flower-agent";
 *
 * const brief = Brief.parse("## Goal\nA word counter.\n\n## Acceptance criteria\nIt prints 3.");
 * console.log(brief.complete(), brief.missing());
 * ```
 */
export class Brief extends SectionedDocument {
  readonly goal: string;
  readonly accept: string;
  readonly bounds: string;
  readonly unknowns: string;
  /** What the person said after it was frozen, as it stands below the sections; "" when nothing. */
  readonly amendments: string;

  /** @throws OptionError for a key that is not known or a value that is not text. */
  constructor(fields: BriefFields = {}) {
    super();
    checkFields(fields, ["goal", "accept", "bounds", "unknowns", "amendments", "path"], "Brief");
    this.goal = textField(fields.goal, "goal");
    this.accept = textField(fields.accept, "accept");
    this.bounds = textField(fields.bounds, "bounds");
    this.unknowns = textField(fields.unknowns, "unknowns");
    this.amendments = textField(fields.amendments, "amendments");
    this.path = fields.path;
  }

  /**
   * Read a brief from any text; what it cannot find is empty.
   * @param text - what the clarifier wrote
   */
  static parse(text: string): Brief {
    return Brief.#read(text, false);
  }

  /**
   * Load a brief and all that was appended to it; undefined when there is no readable file.
   * @param path - the file
   */
  static load(path: string): Brief | undefined {
    return loadDocument(path, (text) => Brief.#read(text, true));
  }

  static #read(text: string, isFile: boolean): Brief {
    const { standing, amendments } = splitAmendments(text, { outline: OUTLINE, isFile });
    const sections = splitLines(standing, OUTLINE);
    const read = (field: Field): string => textOf(sections, field, IS_EMPTY[field]);
    return new Brief({
      goal: read("goal"),
      accept: read("accept"),
      bounds: read("bounds"),
      unknowns: read("unknowns"),
      amendments,
    });
  }

  override missing(): readonly string[] {
    return OUTLINE.sections.filter(({ field }) => IS_EMPTY[field](this[field])).map(({ title }) => title);
  }

  override toMarkdown(): string {
    const sections = OUTLINE.sections.map(({ field, title }) =>
      renderSection(title, IS_EMPTY[field](this[field]) ? NOT_FILLED : renderBody(this[field])),
    );
    return sections.join("\n") + renderAmendments(this.amendments);
  }

  override promptBlock(): string {
    const sections = OUTLINE.sections
      .filter(({ field }) => !IS_EMPTY[field](this[field]))
      .map(({ field, title }) => renderSection(title, renderBody(this[field])));
    return [...sections, amendmentsPrompt(this.amendments)]
      .filter((part) => part !== "")
      .join("\n")
      .trimEnd();
  }

  /**
   * The same brief with a person's words below it. When it has a file, they are appended there as well; what
   * stands in the file is not touched.
   * @param text - the person's words
   * @param label - the heading they stand under
   * @throws DiskError `write_failed` or `lock_timeout`.
   */
  amend(text: string, label = ""): Brief {
    if (text.trim() === "") return this;
    const addition = amendmentText(text, label);
    const amended = new Brief({
      ...this,
      amendments: `${this.amendments}\n${addition}`.trim(),
      path: this.path,
    });
    if (this.path !== undefined) appendOrWrite(this.path, addition, amended);
    return amended;
  }
}

function appendOrWrite(path: string, addition: string, amended: Brief): void {
  if (!existsSync(path)) {
    amended.write(path);
    return;
  }
  try {
    withLock(path, () => appendFileSync(path, addition));
  } catch (error) {
    if (error instanceof DiskError) throw error;
    throw new DiskError(`cannot append to ${path}: ${errorText(error)}`, {
      code: "write_failed",
      values: { path, reason: errorText(error) },
      hint: "check that the file is writable and the disk has free space",
      cause: error,
    });
  }
}
