// Sentences of flower's own as data: named and filled here, said in a person's language where they are shown.

/** What a sentence is about: a name, a number, somebody's own words, or another sentence. */
export type WordValue = string | number | Words;

/** What a sentence is about, by the names its text uses. */
export interface WordValues {
  readonly [name: string]: WordValue;
}

/** A sentence of the catalogue of messages, in no language yet; plain data. */
export interface Words {
  /** Its key in the catalogue. */
  readonly key: string;
  /** What the sentence is about, by the names its text uses; empty for one that never changes. */
  readonly values: WordValues;
}

/** Why something failed, for programs and for who says it in another language; plain data. */
export interface FailureFacts {
  /** Stable snake_case name of what happened. */
  readonly code: string;
  /** What it happened to: paths, numbers, the words of others. */
  readonly values: WordValues;
}
