// What a worker reported, without the frame the harness puts round it.

const FRAME = /^\[Subagent hand-back\] .*$/m;
/** The harness indents every line of a report, so that nothing in it can look like the frame. */
const INDENT = /^ {2}/;

/** The report alone; a text without the frame as it is. */
export function workerReport(text: string): string {
  const frame = FRAME.exec(text);
  if (frame === null) return text;
  const lines = text.slice(frame.index + frame[0].length).split("\n");
  const first = lines.findIndex((line) => INDENT.test(line));
  if (first < 0) return text;
  const after = lines.slice(first);
  const end = after.findIndex((line) => line !== "" && !INDENT.test(line));
  const report = end < 0 ? after : after.slice(0, end);
  return report
    .map((line) => line.replace(INDENT, ""))
    .join("\n")
    .trim();
}
