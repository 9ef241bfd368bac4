// The part of a page that a command writes, between two comments. Pure.

/**
 * The page with `text`, whose last line ends, as its part of a name; a page without one has it at its end.
 * @param part - `{name, command}`: what the part is called, and the npm script that writes it.
 */
export function replaceMarked(page, { name, command }, text) {
  const begin = `<!-- ${name}: written by \`npm run ${command}\` -->`;
  const end = `<!-- /${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) return `${page.trimEnd()}\n\n${begin}\n\n${text}\n${end}\n`;
  return `${page.slice(0, from + begin.length)}\n\n${text}\n${page.slice(to)}`;
}
