// Which check of a goal a free text means. Pure.

/** Letters and digits of a text, in small letters: what is left when words are compared. */
export function letters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function numberOf(item: string, checks: readonly string[]): number {
  const named = /^\W*(?:check|item|no\.?|nº|第)?\s*#?\s*(\d{1,3})(?!\d)/iu.exec(item);
  const number = named === null ? 0 : Number(named[1]);
  if (number >= 1 && number <= checks.length) return number;
  const said = letters(item);
  if (said === "") return 0;
  return 1 + checks.findIndex((check) => said.includes(letters(check)) || letters(check).includes(said));
}

/** Which checks failed, by their number in the goal; 0 stands for those that name none. Words differ each round. */
export function failedNumbers(failed: readonly string[], checks: readonly string[]): readonly number[] {
  return [...new Set(failed.map((item) => numberOf(item, checks)))].sort((a, b) => a - b);
}
