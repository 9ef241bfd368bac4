// What of a secret may be seen.

/** A shorter secret loses too much with a few of its characters. */
const SHORT = 12;
/** The same for every length, so that not even the length shows. */
const MASK = "********";

/** The first four characters and an ellipsis; a secret of at most 12 characters is masked whole. Never its end. */
export function maskSecret(secret: string): string {
  const characters = [...secret];
  if (characters.length <= SHORT) return MASK;
  const start = characters.slice(0, 4).join("");
  return `${start.replace(/[\p{C}\p{Z}]/gu, "*")}…`;
}
