// A number of the command line. Pure.

/** @returns the value of an option that takes a whole number. @throws TypeError for anything else. */
export function wholeNumber(name, value) {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TypeError(`${name} takes a whole number, 1 or more, not "${value ?? ""}"`);
}
