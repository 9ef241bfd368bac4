// Finished works: tests, data, documents, names and settings, and work that was done in parts.
import { blobOf, held, prose, run, write } from "../work.mjs";

/** Node 20 and its successors have other reporters by default. */
const TESTS = "node --test --test-reporter=tap";
const SUM_TEST =
  'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../sum.mjs";\ntest("adds two", () => equal(sum(1, 2), 3));\ntest("adds none", () => equal(sum(), 0));\n';

export const FINISHED_FILES = [
  {
    name: "library",
    says: "a module with its tests",
    goal: [
      held(`${TESTS} test/slug.test.mjs`, "matches /^# pass 2$/m"),
      held(`${TESTS} test/slug.test.mjs`, "matches /^# skipped 0$/m"),
      held("node -p \"require('fs').existsSync('slug.mjs')\"", "prints exactly true"),
    ],
    steps: [
      write(
        "slug.mjs",
        "/** A title as part of an address. */",
        'export const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");',
      ),
      write(
        "test/slug.test.mjs",
        'import { equal } from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { slug } from "../slug.mjs";',
        'test("joins words", () => equal(slug("Two Words"), "two-words"));',
        'test("drops what is at the ends", () => equal(slug("  Hi! "), "hi"));',
      ),
      run(`${TESTS} test/slug.test.mjs`),
    ],
  },
  {
    name: "data",
    says: "a file of data",
    goal: [
      held(
        "node -p \"JSON.parse(require('fs').readFileSync('planets.json', 'utf8')).length\"",
        "prints exactly 8",
      ),
      held("node -p \"require('./planets.json').map((planet) => planet.name).join()\"", "prints Earth,Mars"),
    ],
    steps: [
      write(
        "planets.json",
        JSON.stringify(
          ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"].map((name) => ({
            name,
          })),
        ),
      ),
    ],
  },
  {
    name: "documents",
    says: "a page of documentation, with one item only a reader can decide",
    goal: [
      held("grep -c '^## ' docs/usage.md", "prints exactly 2"),
      prose("`docs/usage.md` shows a call with --json and what it prints"),
    ],
    steps: [
      write(
        "docs/usage.md",
        "# Usage",
        "",
        "## Plain",
        "",
        "`wc a.txt` prints `3`.",
        "",
        "## JSON",
        "",
        '`wc --json a.txt` prints `{"words":3}`.',
      ),
    ],
  },
  {
    name: "reading-only",
    says: "what counts is for a reader to decide",
    goal: [
      held("test -s docs/decision.md", "exits 0"),
      prose("`docs/decision.md` says which store was chosen and why"),
      prose("`docs/decision.md` names what was given up"),
    ],
    steps: [
      write(
        "docs/decision.md",
        "# Store",
        "",
        "SQLite: one file, and it survives a kill.",
        "",
        "Given up: several machines on one store.",
      ),
    ],
  },
  {
    name: "rename",
    says: "a name that must be gone everywhere, so that looking for it has to fail",
    files: {
      "src/fetch-all.mjs": "export const fetchAll = () => [1, 2];\n",
      "src/main.mjs":
        'import { fetchAll } from "./fetch-all.mjs";\nconsole.log(`loaded ${fetchAll().length}`);\n',
    },
    goal: [
      held("test -e src/fetch-all.mjs", "exits 1"),
      held("grep -rn fetchAll src", "exits 1"),
      held("node src/main.mjs", 'prints "loaded 2"'),
    ],
    steps: [
      run("mv src/fetch-all.mjs src/load-all.mjs"),
      run(
        "for f in src/*.mjs; do sed 's/fetchAll/loadAll/g; s/fetch-all/load-all/g' $f > new && mv new $f; done",
      ),
      run("node src/main.mjs"),
    ],
  },
  {
    name: "settings",
    says: "a setting, with its list in Portuguese",
    files: { "app.config.json": '{ "port": 3000, "host": "127.0.0.1" }\n' },
    goal: [
      held("node -p \"require('./app.config.json').port\"", "imprime exatamente 8080"),
      held("node -p \"require('./app.config.json').host\"", "imprime 127.0.0.1"),
    ],
    steps: [write("app.config.json", '{ "port": 8080, "host": "127.0.0.1" }')],
  },
  {
    name: "output-file",
    says: "a program that makes a file",
    files: { "sales.json": '[{ "name": "pen", "total": 3 }, { "name": "ink", "total": 5 }]\n' },
    goal: [
      held("rm -rf out && node report.mjs", "creates out/report.csv"),
      held("cat out/report.csv | head -1", "prints exactly name,total"),
    ],
    steps: [
      write(
        "report.mjs",
        'import { mkdirSync, readFileSync, writeFileSync } from "node:fs";',
        'const rows = JSON.parse(readFileSync("sales.json", "utf8"));',
        'mkdirSync("out", { recursive: true });',
        'const lines = ["name,total", ...rows.map(({ name, total }) => `${name},${total}`)];',
        'writeFileSync("out/report.csv", `${lines.join("\\n")}\\n`);',
      ),
      run("node report.mjs && rm -r out"),
    ],
  },
  {
    name: "kept-test",
    says: "a test that was given passes, and is as it was given",
    git: true,
    files: {
      "sum.mjs": "export const sum = (...all) => all[0] + all[1];\n",
      "test/sum.test.mjs": SUM_TEST,
    },
    goal: [
      held(`${TESTS} test/sum.test.mjs`, "matches /^# pass 2$/m"),
      held("git hash-object --no-filters test/sum.test.mjs", `prints exactly ${blobOf(SUM_TEST)}`),
    ],
    steps: [
      write("sum.mjs", "export const sum = (...all) => all.reduce((total, one) => total + one, 0);"),
      run(`${TESTS} test/sum.test.mjs`),
    ],
  },
  {
    name: "two-workers",
    says: "two workers, a file each",
    goal: [held("node main.mjs", 'prints "area 6"'), held("node main.mjs 4 5", 'prints "area 20"')],
    workers: [
      [write("area.mjs", "export const area = (width, height) => width * height;")],
      [
        write(
          "main.mjs",
          'import { area } from "./area.mjs";',
          "const [width = 2, height = 3] = process.argv.slice(2).map(Number);",
          "console.log(`area ${area(width, height)}`);",
        ),
      ],
    ],
  },
  {
    name: "merged",
    says: "two isolated workers, whose branches fit together",
    git: true,
    isolate: true,
    files: { "README.md": "# shapes\n" },
    goal: [held("node square.mjs", "prints square"), held("node circle.mjs", "prints circle")],
    workers: [
      [write("square.mjs", 'console.log("square");'), run("node square.mjs")],
      [write("circle.mjs", 'console.log("circle");'), run("node circle.mjs")],
    ],
  },
];
