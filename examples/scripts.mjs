// What the scripted model says in each example, and what must have come of it. Read the examples, not this: it only
// stands in for a model when `npm run examples` runs them.
import { ask, dispatch, lastToolResult, text, toolUse } from "flower-agent/testing";

const section = (title, body) => `## ${title}\n${body}\n`;
const brief = [
  section("Goal", "A script hello.mjs that prints hello."),
  section("Acceptance criteria", "`node hello.mjs` prints hello."),
  section("Boundaries", "Nothing else is changed."),
  section("Unknowns and assumptions", "In English."),
].join("\n");
const goal =
  section("Goal", "hello.mjs prints hello.") + section("Checklist", "- `node hello.mjs` -> prints hello");
const verdict = (state, reason, failed) =>
  section("Conclusion", state) + section("Reason", reason) + section("Not passed", failed);

const writeFile = (cwd, name, content) => toolUse("Write", { file_path: `${cwd}/${name}`, content });

export const EXAMPLES = [
  {
    name: "minimal-agent.ts",
    files: { "README.md": "# Rosebud\n" },
    script: (cwd) => ({
      main: [
        toolUse("Read", { file_path: `${cwd}/README.md` }),
        (request) => text(`It is called ${/# (\w+)/.exec(lastToolResult(request, "Read") ?? "")?.[1]}.`),
      ],
    }),
    prints: [/It is called Rosebud\./, /books in .*manifest\.json/],
  },
  {
    name: "coordinator-and-worker.ts",
    script: (cwd) => ({
      coordinator: [
        dispatch("writer", "Write greeting.txt: one line."),
        dispatch("checker", "Check greeting.txt: one line."),
        text("Written and checked."),
      ],
      workers: {
        writer: [writeFile(cwd, "greeting.txt", "hello\n"), text("Conclusion: written.")],
        checker: [toolUse("Read", { file_path: `${cwd}/greeting.txt` }), text("Conclusion: one line.")],
      },
    }),
    prints: [/writer: Write/, /checker: Read/, /Written and checked\./, /checker: 1 tool calls, ok true/],
  },
  {
    name: "two-step-workflow.ts",
    script: (cwd) => ({
      main: [text("Write hello.mjs, run it, report.")],
      coordinator: [
        text("Everything is planned."),
        dispatch("coder", "Write hello.mjs."),
        text("hello.mjs is written."),
      ],
      workers: {
        coder: [writeFile(cwd, "hello.mjs", 'console.log("hello");\n'), text("Conclusion: written.")],
      },
    }),
    prints: [/plan: ok/, /work: ok/],
  },
  {
    name: "clarify-goal-work.ts",
    script: (cwd) => ({
      clarifier: [ask("In which language?", ["English", "Portuguese"]), text(brief)],
      judge: [
        text(goal),
        toolUse("Glob", { pattern: "hello.mjs" }),
        text(verdict("not yet", "hello.mjs prints something else.", "- 1: it does not print hello")),
        toolUse("Read", { file_path: `${cwd}/hello.mjs` }),
        text(verdict("achieved", "1: hello.mjs prints hello.", "(none)")),
      ],
      coordinator: [
        dispatch("coder", "Write hello.mjs."),
        text("Written."),
        dispatch("coder", "It must print hello."),
        text("Corrected."),
      ],
      workers: {
        coder: [
          writeFile(cwd, "hello.mjs", 'console.log("bye");\n'),
          text("Conclusion: written."),
          toolUse("Bash", { command: `echo 'console.log("hello");' > hello.mjs && node hello.mjs` }),
          text("Conclusion: it prints hello."),
        ],
      },
    }),
    prints: [/question: In which language\?/, /done: 1: hello\.mjs prints hello\./],
  },
  { name: "test-your-workflow.ts", prints: [/the workflow works/] },
  {
    name: "workflow-file.ts",
    runBy: (path) => ["run", `${path}:haiku`, "about", "rain"],
    script: (cwd) => ({
      coordinator: [dispatch("poet", "A haiku about rain, in haiku.txt."), text("haiku.txt is there.")],
      workers: {
        poet: [writeFile(cwd, "haiku.txt", "rain on the tin roof\n"), text("Conclusion: written.")],
      },
    }),
    prints: [/manifest/],
  },
];
