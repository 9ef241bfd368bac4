// The handoff: what a session whose context is nearly full leaves to the fresh one that takes over.

import { oneLine } from "../core/text.ts";
import {
  checkFields,
  loadDocument,
  renderBody,
  renderSection,
  SectionedDocument,
  textField,
} from "./document.ts";
import { createOutline, fold } from "./headings.ts";
import { safeText } from "./lines.ts";
import { EMPTY, isBlank, NOT_FILLED } from "./placeholders.ts";
import { splitSections, textOf } from "./sections.ts";

type Field = "doing" | "decided" | "deadends" | "next" | "scene";

/** What a {@link Handoff} is made of; a field left out is empty. */
export interface HandoffFields {
  /** What was under way. */
  readonly doing?: string | undefined;
  /** What was decided, and why. */
  readonly decided?: string | undefined;
  /** What was tried and did not work. */
  readonly deadends?: string | undefined;
  /** What comes next. */
  readonly next?: string | undefined;
  /** Where things are: files, processes, sessions. */
  readonly scene?: string | undefined;
  /** Step the session worked for. */
  readonly step?: string | undefined;
  /** The file it was read from. */
  readonly path?: string | undefined;
}

const OUTLINE = createOutline<Field>([
  { field: "doing", title: "Doing", aliases: ["现在在做", "Em andamento", "Fazendo"] },
  { field: "decided", title: "Decided", aliases: ["已定的事", "Decidido"] },
  {
    field: "deadends",
    title: "Dead ends",
    aliases: ["Deadends", "走不通的路", "走不通的", "Becos sem saída", "Caminhos que não deram certo"],
  },
  {
    field: "next",
    title: "Next",
    aliases: ["Next step", "Next steps", "下一步", "Próximo passo", "Próximos passos"],
  },
  { field: "scene", title: "Scene", aliases: ["现场", "Cena"] },
]);
/** Demanding dead ends or decisions where there are none makes a model invent them. */
const REQUIRED: ReadonlySet<Field> = new Set(["doing", "next"]);
const DEGRADED_MARK = "[degraded: handoff not written]";
const DEGRADED = /\[\s{0,4}(?:degraded|degradado|降级)\s{0,4}[:：][^\]\n]{0,80}\]/;
const STEP_TITLE = "# Handoff: ";
/** Enough of the task to know what it was; all of it could be what filled the context. */
const TASK_CHARS = 1200;
const TAKING_OVER = [
  "You are taking over work in progress: the session before you ran out of context and left this handoff.",
  "Look at the scene yourself (files, git state, notes) before you act on it; do not ask for background, nobody has more than this.",
  "What is decided stays decided, and dead ends are not tried again.",
].join("\n");

/**
 * What the next session needs to go on. Only `doing` and `next` are required.
 * @example
 * ```ts
 * import { Handoff } from "flower-agent";
 *
 * const handoff = Handoff.parse("## Doing\nCounting words.\n\n## Next\nThe empty file.");
 * console.log(handoff.complete(), handoff.next);
 * ```
 */
export class Handoff extends SectionedDocument {
  readonly doing: string;
  readonly decided: string;
  readonly deadends: string;
  readonly next: string;
  readonly scene: string;
  readonly step: string;
  #why = "";

  /** @throws OptionError for a key that is not known or a value that is not text. */
  constructor(fields: HandoffFields = {}) {
    super();
    checkFields(fields, ["doing", "decided", "deadends", "next", "scene", "step", "path"], "Handoff");
    this.doing = textField(fields.doing, "doing");
    this.decided = textField(fields.decided, "decided");
    this.deadends = textField(fields.deadends, "deadends");
    this.next = textField(fields.next, "next");
    this.scene = textField(fields.scene, "scene");
    this.step = textField(fields.step, "step");
    this.path = fields.path;
  }

  /**
   * Read a handoff from any text. `step` stays empty: a model's text never names one.
   * @param text - what the session wrote
   */
  static parse(text: string): Handoff {
    return Handoff.#read(text, "");
  }

  /**
   * Load a handoff with the step its title names; undefined when there is no readable file.
   * @param path - the file
   */
  static load(path: string): Handoff | undefined {
    return loadDocument(path, (text) => {
      const title = text.replace(/^\ufeff/, "").split("\n", 1)[0] ?? "";
      return Handoff.#read(text, title.startsWith(STEP_TITLE) ? oneLine(title.slice(STEP_TITLE.length)) : "");
    });
  }

  static #read(text: string, step: string): Handoff {
    const sections = splitSections(text, OUTLINE);
    const read = (field: Field): string => textOf(sections, field);
    return new Handoff({
      doing: read("doing"),
      decided: read("decided"),
      deadends: read("deadends"),
      next: read("next"),
      scene: read("scene"),
      step,
    });
  }

  /**
   * The document put together when the session could not write one: the beginning of its task and a pointer to
   * the scene. `why` stands in the file for people and is never told to the successor.
   * @param step - name of the step
   * @param prompt - its task, as the session got it
   * @param why - why the session could not write one
   */
  static degraded(step: string, prompt: string, why: string): Handoff {
    const handoff = new Handoff({
      doing: `${DEGRADED_MARK} The session before could not say what it was doing.`,
      next: "Look at the files, the git state and the notes to see what is done, then go on with the task. Its beginning stands under Scene.",
      scene: firstChars(safeText(prompt), TASK_CHARS),
      step,
    });
    handoff.#why = oneLine(why);
    return handoff;
  }

  /** Was it put together without the session, by the mark in `doing`? */
  get degraded(): boolean {
    return DEGRADED.test(fold(this.doing));
  }

  override missing(): readonly string[] {
    return OUTLINE.sections
      .filter(({ field }) => REQUIRED.has(field) && isBlank(this[field]))
      .map(({ title }) => title);
  }

  override toMarkdown(): string {
    const head = this.step.trim() === "" ? "" : `${STEP_TITLE}${oneLine(this.step)}\n\n`;
    const why = this.#why === "" ? "" : `> Not written by the session: ${this.#why}\n\n`;
    const sections = OUTLINE.sections.map(({ field, title }) => {
      const placeholder = REQUIRED.has(field) ? NOT_FILLED : EMPTY;
      return renderSection(title, isBlank(this[field]) ? placeholder : renderBody(this[field]));
    });
    return head + why + sections.join("\n");
  }

  override promptBlock(): string {
    const sections = OUTLINE.sections
      .filter(({ field }) => !isBlank(this[field]))
      .map(({ field, title }) => renderSection(title, renderBody(this[field])));
    return [`${TAKING_OVER}\n`, ...sections].join("\n").trimEnd();
  }
}

function firstChars(text: string, max: number): string {
  return [...text.slice(0, max * 2)].slice(0, max).join("").trim();
}

/** The handoff for a session that could not write one; see {@link Handoff.degraded}. */
export function degradedHandoff(step: string, prompt: string, options: { readonly why: string }): Handoff {
  return Handoff.degraded(step, prompt, options.why);
}
