// How a role's rules and a user's own instructions become one text.

/** Rules first, own instructions below, empty parts left out. */
export function composeInstructions(rules: string, own: string): string {
  return own.trim() === "" ? rules : `${rules}\n\n${own.trim()}`;
}
