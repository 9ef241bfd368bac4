// What a judge is shown, read back: the checklist, flower's table where there is one, and the coordinator's report.

const ITEM = /^(\d+)\. (.*)$/;
const REPORT = "(a claim, not evidence):";
const TABLE = "What flower saw when it ran the commands";
/** How the table calls each outcome; the longer words first. */
const OUTCOMES = [
  ["no command", "prose"],
  ["held", "held"],
  ["ran", "ran"],
  ["FAILED, flaky", "flaky"],
  ["FAILED, timed out", "timed_out"],
  ["FAILED", "failed"],
  ["NOT RUN", "not_run"],
  ["cannot be verified here", "unverifiable"],
];

function block(prompt, from, to) {
  const at = prompt.indexOf(from);
  if (at === -1) return "";
  const rest = prompt.slice(at + from.length).trimStart();
  const end = rest.search(to);
  return end === -1 ? rest : rest.slice(0, end);
}

/** The command of an item is what stands in the backticks it begins with; a path is the first thing in any. */
function readItem(line) {
  const found = ITEM.exec(line);
  if (found === null) return [];
  const [, number, words] = found;
  const command = /^`([^`]+)` (?:->|=>|→)/.exec(words)?.[1];
  const path = command === undefined ? /`([^`]+)`/.exec(words)?.[1] : undefined;
  return [{ number: Number(number), text: words, command, path }];
}

/** What flower saw of each item, by its number; empty where it shows no table. */
function readTable(prompt) {
  const lines = block(prompt, TABLE, /\n\n/).split("\n");
  return new Map(
    lines.flatMap((line) => {
      const found = ITEM.exec(line);
      const outcome = OUTCOMES.find(([words]) => found?.[2].startsWith(words))?.[1];
      return outcome === undefined ? [] : [[Number(found[1]), outcome]];
    }),
  );
}

/** The items of the checklist, each with what flower saw of it, and the report. @throws Error when there are none. */
export function readTask(prompt) {
  const seen = readTable(prompt);
  const items = block(prompt, "## Checklist", /\n\n/)
    .split("\n")
    .flatMap(readItem)
    .map((item) => ({ ...item, outcome: seen.get(item.number) }));
  if (items.length === 0)
    throw new Error(`no checklist in what the judge was shown: ${prompt.slice(0, 200)}`);
  const report = block(prompt, REPORT, /\n\nWhere you are:/);
  return { items, report };
}

/** What a report says of each item. */
export function readReport(report) {
  return new Map([...report.matchAll(/^(\d+): (.*)$/gm)].map(([, number, words]) => [Number(number), words]));
}
