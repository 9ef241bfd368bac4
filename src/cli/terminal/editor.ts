// The line being typed: text, cursor, history. Pure; how it is drawn is input-rows, what becomes of it is the desk's.

import { graphemes } from "../../core/cells.ts";
import { stripEscapes } from "../../core/text.ts";
import { type Key, type KeyName, MAX_PASTE } from "./key-reader.ts";

/** Lines kept for the up key. */
const MAX_HISTORY = 100;
const WORD = /[\p{L}\p{N}_]/u;

/** What is typed and where. `cursor` counts UTF-16 units and always stands between two graphemes. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
  /** Submitted lines, oldest first. */
  readonly history: readonly string[];
  /** Place in the history that is shown; its length means what is being typed. */
  readonly at: number;
  /** What was being typed when the history was entered. */
  readonly draft: string;
  /** What was erased last by words or lines. */
  readonly erased: string;
}

/** Nothing typed. */
export const EMPTY_EDITOR: Editor = { text: "", cursor: 0, history: [], at: 0, draft: "", erased: "" };

/** The first place from `cursor` on that lies between two graphemes: what is new may join with what stands there. */
function between(text: string, cursor: number): number {
  if (cursor >= text.length || text.charCodeAt(cursor) < 0x80) return cursor;
  let at = 0;
  for (const part of graphemes(text)) {
    if (at >= cursor) break;
    at += part.length;
  }
  return at;
}

function put(editor: Editor, text: string, cursor: number): Editor {
  return { ...editor, text, cursor: between(text, cursor) };
}

function insert(editor: Editor, added: string): Editor {
  const room = MAX_PASTE - editor.text.length;
  const more = added.slice(0, Math.max(0, room));
  const { text, cursor } = editor;
  return put(editor, text.slice(0, cursor) + more + text.slice(cursor), cursor + more.length);
}

/** What may stand in a line: no escapes, one kind of line end, tabs as they are. */
function clean(text: string): string {
  return stripEscapes(text).replace(/[\u2028\u2029]/g, "\n");
}

function before({ text, cursor }: Editor): number {
  return cursor - (graphemes(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: Editor): number {
  return cursor + (graphemes(text.slice(cursor))[0]?.length ?? 0);
}

function lineStart({ text, cursor }: Editor): number {
  return text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Editor): number {
  const at = text.indexOf("\n", cursor);
  return at < 0 ? text.length : at;
}

function wordLeft({ text, cursor }: Editor): number {
  const parts = graphemes(text.slice(0, cursor));
  let at = cursor;
  const back = (skip: (part: string) => boolean) => {
    for (let part = parts.at(-1); part !== undefined && skip(part); part = parts.at(-1)) {
      at -= part.length;
      parts.pop();
    }
  };
  back((part) => !WORD.test(part));
  back((part) => WORD.test(part));
  return at;
}

function wordRight({ text, cursor }: Editor): number {
  let at = cursor;
  let inWord = false;
  for (const part of graphemes(text.slice(cursor))) {
    if (!WORD.test(part) && inWord) break;
    inWord ||= WORD.test(part);
    at += part.length;
  }
  return at;
}

/** Back to the last white space: what Ctrl-W takes, as in a shell. */
function spaceLeft({ text, cursor }: Editor): number {
  const kept = text.slice(0, cursor).trimEnd();
  let at = kept.length;
  while (at > 0 && !/\s/.test(kept.charAt(at - 1))) at -= 1;
  return at;
}

function erase(editor: Editor, from: number, to: number, keep = false): Editor {
  const { text } = editor;
  const erased = keep && to > from ? text.slice(from, to) : editor.erased;
  return { ...put(editor, text.slice(0, from) + text.slice(to), from), erased };
}

/** One line of what is typed up or down, else one entry of the history. */
function vertical(editor: Editor, step: -1 | 1): Editor {
  const { text, cursor, history, at } = editor;
  const start = lineStart(editor);
  const column = cursor - start;
  if (step < 0 && start > 0) {
    const above = text.lastIndexOf("\n", start - 2) + 1;
    return put(editor, text, whole(text, Math.min(above + column, start - 1)));
  }
  const end = lineEnd(editor);
  if (step > 0 && end < text.length) {
    const below = lineEnd(put(editor, text, end + 1));
    return put(editor, text, whole(text, Math.min(end + 1 + column, below)));
  }
  const next = at + step;
  if (next < 0 || next > history.length) return editor;
  const draft = at === history.length ? text : editor.draft;
  const shown = next === history.length ? draft : (history[next] ?? "");
  return { ...editor, text: shown, cursor: shown.length, at: next, draft };
}

/** The nearest place before `cursor` that lies between two graphemes. */
function whole(text: string, cursor: number): number {
  let at = 0;
  for (const part of graphemes(text)) {
    if (at + part.length > cursor) break;
    at += part.length;
  }
  return at;
}

const MOVES: Readonly<Partial<Record<KeyName, (editor: Editor) => Editor>>> = {
  left: (editor) => put(editor, editor.text, before(editor)),
  right: (editor) => put(editor, editor.text, after(editor)),
  home: (editor) => put(editor, editor.text, lineStart(editor)),
  end: (editor) => put(editor, editor.text, lineEnd(editor)),
  "word-left": (editor) => put(editor, editor.text, wordLeft(editor)),
  "word-right": (editor) => put(editor, editor.text, wordRight(editor)),
  up: (editor) => vertical(editor, -1),
  down: (editor) => vertical(editor, 1),
  newline: (editor) => insert(editor, "\n"),
  backspace: (editor) => erase(editor, before(editor), editor.cursor),
  delete: (editor) => erase(editor, editor.cursor, after(editor)),
  "delete-or-end": (editor) => erase(editor, editor.cursor, after(editor)),
  "erase-word": (editor) => erase(editor, spaceLeft(editor), editor.cursor, true),
  "erase-before": (editor) => erase(editor, lineStart(editor), editor.cursor, true),
  "erase-after": (editor) => erase(editor, editor.cursor, lineEnd(editor), true),
  "put-back": (editor) => insert(editor, editor.erased),
};

/** What a key makes of the line. Keys that mean something to the whole screen (Enter, Ctrl-C) change nothing here. */
export function edit(editor: Editor, key: Key): Editor {
  if (key.kind === "text") return insert(editor, clean(key.text));
  // The line end that closes what was copied is no line of it.
  if (key.kind === "paste") return insert(editor, clean(key.text).replace(/\n+$/, ""));
  return MOVES[key.name]?.(editor) ?? editor;
}

/** The line is handed over: it is remembered, and an empty one takes its place. */
export function submitted(editor: Editor): Editor {
  const { text, history, erased } = editor;
  const known = text.trim() === "" || history.at(-1) === text;
  const kept = known ? history : [...history, text].slice(-MAX_HISTORY);
  return { ...EMPTY_EDITOR, history: kept, at: kept.length, erased };
}
