// What all documents share: where they stand on disk, how they are written, how their fields are checked.
// They are values: `path` is a place, held outside the fields, and two documents never differ by it.

import { OptionError } from "../core/errors.ts";
import { readText, writeAtomic } from "../core/json.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { escapeLine, safeText } from "./lines.ts";

/** A document of fixed sections: parsed from a model's reply, written for people, handed to the next model. */
export abstract class SectionedDocument {
  #path: string | undefined;

  /** File it was last written to or loaded from; not part of its value. */
  get path(): string | undefined {
    return this.#path;
  }

  set path(path: string | undefined) {
    this.#path = path;
  }

  /** Titles of the required sections that are empty. */
  abstract missing(): readonly string[];

  /** The document for people: every section, the empty ones with a placeholder. */
  abstract toMarkdown(): string;

  /** The document for the next model: only what is filled. */
  abstract promptBlock(): string;

  /** Is no required section empty? */
  complete(): boolean {
    return this.missing().length === 0;
  }

  /**
   * Write the markdown to `path` in one step, creating folders, and remember it.
   * @throws DiskError `write_failed`; the old file is then still whole.
   */
  write(path: string): void {
    writeAtomic(path, this.toMarkdown());
    this.#path = path;
  }
}

/** Load a document with its own reader; undefined when the file is absent or cannot be read. */
export function loadDocument<D extends SectionedDocument>(
  path: string,
  read: (text: string) => D,
): D | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  const document = read(text);
  document.path = path;
  return document;
}

/**
 * Check the one object a document is made of.
 * @throws OptionError `bad_options` or `unknown_option`.
 */
export function checkFields(fields: object, known: readonly string[], owner: string): void {
  requireObject(fields, owner);
  rejectUnknownKeys(fields, known, owner);
}

/**
 * A text field, "" when it was not given.
 * @throws OptionError `wrong_type`.
 */
export function textField(value: unknown, name: string): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  throw new OptionError(`${name} must be a string`, {
    code: "wrong_type",
    hint: `pass text as ${name}, or leave it out`,
  });
}

/**
 * A list field, empty when it was not given.
 * @throws OptionError `wrong_type`.
 */
export function listField(value: unknown, name: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item): item is string => typeof item === "string"))
    return [...value];
  throw new OptionError(`${name} must be a list of strings`, {
    code: "wrong_type",
    hint: `pass an array of texts as ${name}, or leave it out`,
  });
}

/** A field's text as it stands below its heading, safe to read back. */
export function renderBody(text: string): string {
  return safeText(text).trim().split("\n").map(escapeLine).join("\n");
}

/** One section under its heading. */
export function renderSection(title: string, body: string): string {
  return `## ${title}\n\n${body}\n`;
}
