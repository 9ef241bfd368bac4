// What the scripted model says in each example, and what must have come of it. Read the examples, not this: it only
// stands in for a model when `npm run examples` runs them.

import {
  allText,
  ask,
  dispatch,
  lastToolResult,
  lastUserText,
  speaker,
  text,
  toolUse,
} from "flower-agent/testing";
import { pickFirst } from "./browser.mjs";

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
  {
    name: "own-ui-http.ts",
    script: (cwd) => ({
      coordinator: [
        ask("About what?", ["rain", "snow"]),
        (request) => dispatch("poet", `Write poem.txt about ${lastToolResult(request, "mcp__human__ask")}.`),
        text("poem.txt is written."),
      ],
      workers: {
        poet: [writeFile(cwd, "poem.txt", "rain on the tin roof\n"), text("Conclusion: written.")],
      },
    }),
    meets: {
      sees: /open (http:\S+)/,
      does: ({ found }) => pickFirst(found[1], ["rain", "poem.txt is written."]),
    },
    prints: [/open http:/],
    leaves: ["poem.txt"],
  },
  {
    name: "nightly-unattended.ts",
    files: {
      "sum.mjs": "export const sum = (a, b) => a - b;\n",
      "sum.test.mjs": [
        'import assert from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { sum } from "./sum.mjs";',
        'test("it adds", () => assert.equal(sum(2, 2), 4));',
        "",
      ].join("\n"),
    },
    script: (cwd) => ({
      coordinator: [
        ask("May sum.mjs be changed?"),
        dispatch("coder", "sum.test.mjs fails: put sum.mjs right."),
        dispatch("coder", "Put sum.mjs right; it was cut short last night."),
        text("The tests pass."),
      ],
      workers: {
        coder: [
          toolUse("Bash", { command: "sleep 60; cat sum.mjs" }),
          writeFile(cwd, "add.mjs", "export const sum = (a, b) => a + b;\n"),
          toolUse("Bash", { command: "mv add.mjs sum.mjs && node --test sum.test.mjs" }),
          text("Conclusion: it adds."),
        ],
      },
    }),
    runs: [
      {
        meets: { sees: /coder: Bash/, does: ({ child }) => child.kill("SIGTERM") },
        exits: 143,
        prints: [/stopped, \$/],
      },
      { prints: [/coder: Write/, /the tests pass, \$0\.0/], leaves: ["nightly.md", "runs/archive"] },
      { prints: [/nothing to do, \$0\.00/] },
    ],
  },
  {
    name: "review-with-fork.ts",
    files: {
      "ratio.mjs": "export function ratio(a, b) {\n  return a / b;\n}\n",
    },
    script: (cwd) => {
      // Only a copy of the first session knows what stands in the file.
      const found = (finding) => (request) =>
        text(allText(request).includes("return a / b") ? finding : "ratio.mjs:1: high: I have not read it");
      const asked = (words) => (request) => lastUserText(request).includes(words);
      return {
        speakers: [
          speaker("correctness", asked("What gives a wrong result"), [
            found("ratio.mjs:2: high: b may be 0"),
          ]),
          speaker("safety", asked("chooses the input"), [found("none")]),
          speaker("tests", asked("without a test noticing"), [found("ratio.mjs:9: low: no test at all")]),
          speaker("merge", asked("Merge these findings"), [
            (request) => text(lastUserText(request).split("\n\n").at(-1)),
          ]),
          speaker("merge again", asked("These lines do not exist: ratio.mjs:9"), [
            text("ratio.mjs:2: high: b may be 0\nratio.mjs:1: low: no test at all"),
          ]),
        ],
        main: [toolUse("Read", { file_path: `${cwd}/ratio.mjs` }), text("It divides.")],
      };
    },
    prints: [
      /correctness: \$0\.\d+, \d+ tokens/,
      /\nratio\.mjs:2: high: b may be 0\nratio\.mjs:1: low: no test at all\n$/,
    ],
  },
  {
    name: "custom-store.ts",
    script: () => ({
      main: [
        text("I will."),
        (request) => text(allText(request).includes("the number 41") ? "It was 41." : "I cannot remember."),
      ],
    }),
    prints: [/the store keeps [1-9]\d promises/, /first run: I will\./, /woken: It was 41\./],
    leaves: ["transcripts"],
  },
  {
    name: "custom-judge-and-guards.ts",
    script: (cwd) => {
      const oneLine = "- T-7: exports over 2 GB, as ACME reported, are whole\n";
      return {
        main: [
          [
            toolUse("mcp__tickets__read", { id: "T-7" }),
            toolUse("mcp__tickets__read", { id: "T-9" }),
            writeFile(cwd, "CHANGES.md", "2.1\n"),
          ],
          (request) =>
            /nothing else, not/.test(lastToolResult(request, "Write") ?? "") &&
            writeFile(cwd, "NOTES.md", oneLine),
          text("Written."),
          writeFile(cwd, "NOTES.md", `${oneLine}- T-9: --quiet\n`),
          text("Now with T-9."),
        ],
        judge: [
          toolUse("Read", { file_path: `${cwd}/NOTES.md` }),
          text(verdict("not yet", `2: no line for T-9 in NOTES.md`, "- 2: T-9 is missing")),
          [toolUse("mcp__tickets__read", { id: "T-9" }), toolUse("Read", { file_path: `${cwd}/NOTES.md` })],
          (request) => {
            const says = lastToolResult(request, "mcp__tickets__read");
            return text(verdict("achieved", `3: NOTES.md says what T-9 says: ${says}`, "(none)"));
          },
        ],
      };
    },
    prints: [/achieved 3: NOTES\.md .*--quiet/, /- T-7: .*as a customer reported/, /- T-9: --quiet/],
  },
  {
    name: "several-runtimes.ts",
    files: { "one/README.md": "# Rosebud\n", "two/README.md": "# Xanadu\n" },
    script: (cwd) => {
      const readme = (name) => [
        toolUse("Read", { file_path: `${cwd}/${name}/README.md` }),
        (request) => text(`It is called ${/# (\w+)/.exec(lastToolResult(request, "Read") ?? "")?.[1]}.`),
      ];
      return {
        speakers: ["one", "two"].map((name) => speaker(name, `the project in ${name} called`, readme(name))),
      };
    },
    prints: [/one: Read/, /two: Read/, /one: It is called Rosebud\./, /two: It is called Xanadu\./],
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
