// What a session is told when its context is nearly full, and how to know that it already is.

/**
 * The turn that has a session write its own handoff. `{used}` and `{window}` stand for the tokens of its
 * context and of its window.
 */
export const HANDOFF_PROMPT = `Your context is nearly full ({used} of {window} tokens). A fresh session takes over this work from you, in this folder. It knows nothing you know, and all it gets is what you write now. Stop working, call no tools, and write the handoff as your whole reply, with exactly these five headings:

## Doing
What you are in the middle of, for which purpose, and how far it is.

## Decided
What is settled and why, so that nobody settles it again. Leave it empty if there is nothing.

## Dead ends
What was tried and does not work, and how you know. Leave it empty if there is nothing; invent nothing.

## Next
The next concrete action, then those after it.

## Scene
Where things are: paths of files being changed, branches, running processes, notes, artifacts, commands that check the work. Paths, not contents.

Write the headings in English exactly as they stand. Use no code fences: fenced text is not handed over, so name commands inline and files by path. Say what you know to be true and mark what you only suppose. Answer in the language of the person's request.`;

const OVERFLOW = [
  /prompt is too long/,
  /context[ _-]length[ _-]exceeded/,
  /maximum context length/,
  /exceeds? (?:the |your )?(?:model'?s? )?(?:maximum )?context (?:window|limit)/,
  /too many total text bytes/,
  /input length and [`'"]?max_tokens[`'"]? exceed/,
  /conversation (?:is )?too long/,
  /extra usage is required for long context/,
  /["']?terminal_reason["']?\s{0,4}[:=]\s{0,4}["']?prompt_too_long/,
];

/** Does any of these error texts say that the context is full? Texts that are absent are passed over. */
export function isOverflow(...texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => {
    if (typeof text !== "string") return false;
    const lower = text.toLowerCase();
    return OVERFLOW.some((pattern) => pattern.test(lower));
  });
}
