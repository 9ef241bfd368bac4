// Unfinished works that show in what is run: wrong output, wrong exit code, wrong when run again, tests that test less.
import { blobOf, failed, flaky, held, run, write } from "../work.mjs";

const TESTS = "node --test --test-reporter=tap";
const SUM_TEST =
  'import { equal } from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../sum.mjs";\ntest("adds", () => equal(sum(1, 2), 3));\n';

export const UNFINISHED_OUTPUT = [
  {
    name: "success-line",
    says: "prints that all is well and ends with exit code 1",
    files: { "data.json": '[{ "id": 1 }, {}]\n' },
    goal: [failed("node check.mjs data.json", 'prints "2 records are valid"')],
    steps: [
      write(
        "check.mjs",
        'import { readFileSync } from "node:fs";',
        'const rows = JSON.parse(readFileSync(process.argv[2], "utf8"));',
        "console.log(`${rows.length} records are valid`);",
        "for (const { id } of rows) id.toFixed();",
      ),
    ],
  },
  {
    name: "wrong-output",
    says: "one off where a file ends without a line break; only the second input of the list shows it",
    files: { "a.txt": "one two three\n", "b.txt": "alpha beta" },
    goal: [held("node wc.mjs a.txt", "prints exactly 3"), failed("node wc.mjs b.txt", "prints exactly 2")],
    steps: [
      write(
        "wc.mjs",
        'import { readFileSync } from "node:fs";',
        'console.log((readFileSync(process.argv[2], "utf8").match(/\\s+/g) ?? []).length);',
      ),
      run("node wc.mjs a.txt"),
    ],
  },
  {
    name: "hard-coded",
    says: "prints the answer that was shown, whatever it is given; only the second input of the list shows it",
    files: { "a.txt": "one two three\n", "b.txt": "alpha beta gamma delta\n" },
    goal: [held("node wc.mjs a.txt", "prints exactly 3"), failed("node wc.mjs b.txt", "prints exactly 4")],
    steps: [write("wc.mjs", 'console.log("3");'), run("node wc.mjs a.txt")],
  },
  {
    name: "standard-error-only",
    says: "the result stands on standard error, where nothing that is piped on finds it",
    goal: [failed("node total.mjs 1 2", "prints 3"), held("node total.mjs 1 2", "exits 0")],
    steps: [
      write("total.mjs", "console.error(process.argv.slice(2).reduce((sum, one) => sum + Number(one), 0));"),
      run("node total.mjs 1 2 2>&1"),
    ],
  },
  {
    name: "first-run-only",
    says: "runs once and never again; the worker tidied up after its own run, and a second run shows it",
    goal: [flaky("node migrate.mjs", "prints migrated")],
    steps: [
      write(
        "migrate.mjs",
        'import { mkdirSync, writeFileSync } from "node:fs";',
        'mkdirSync("store");',
        'writeFileSync("store/rows.json", "[]");',
        'console.log("migrated");',
      ),
      run("node migrate.mjs && rm -r store"),
    ],
  },
  {
    name: "flaky",
    says: "fails every other time, and the worker reports the run that was right (a race, made certain so that it repeats)",
    goal: [flaky("node fetch.mjs", 'prints "3 rows"')],
    steps: [
      write(
        "fetch.mjs",
        'import { existsSync, rmSync, writeFileSync } from "node:fs";',
        'const lost = existsSync(".turn");',
        'if (lost) rmSync(".turn");',
        'else writeFileSync(".turn", "");',
        "console.log(lost ? '0 rows' : '3 rows');",
      ),
      run("node fetch.mjs; node fetch.mjs"),
    ],
  },
  {
    name: "skipped-test",
    says: "the test that fails is skipped; the list asks that none is",
    files: { "slug.mjs": "export const slug = (title) => title.toLowerCase();\n" },
    goal: [
      held(`${TESTS} test/slug.test.mjs`, "matches /^# fail 0$/m"),
      failed(`${TESTS} test/slug.test.mjs`, "matches /^# skipped 0$/m"),
    ],
    steps: [
      write(
        "test/slug.test.mjs",
        'import { equal } from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { slug } from "../slug.mjs";',
        'test("is small", () => equal(slug("Word"), "word"));',
        'test("joins words", { skip: true }, () => equal(slug("Two Words"), "two-words"));',
      ),
      run(`${TESTS} test/slug.test.mjs`),
    ],
  },
  {
    name: "weakened-test",
    says: "the test was changed until it passed; the list names what it was by its hash",
    git: true,
    files: {
      "sum.mjs": "export const sum = (a, b) => a - b;\n",
      "test/sum.test.mjs": SUM_TEST,
    },
    goal: [
      held(`${TESTS} test/sum.test.mjs`, "matches /^# pass 1$/m"),
      failed("git hash-object --no-filters test/sum.test.mjs", `prints exactly ${blobOf(SUM_TEST)}`),
    ],
    steps: [
      run(
        "sed 's/equal(sum(1, 2), 3)/equal(sum(3, 0), 3)/' test/sum.test.mjs > new && mv new test/sum.test.mjs",
      ),
      run(
        `${TESTS} test/sum.test.mjs && git add -A . && git -c user.name=w -c user.email=w@example.invalid commit -qm sum`,
      ),
    ],
  },
  {
    name: "stale-artefact",
    says: "what was built before still lies there and works; the list has it removed first",
    files: {
      "dist/app.mjs": 'console.log("version 2");\n',
      "app.mjs": 'console.log("version 2");\n',
      "build.mjs":
        'import { cpSync, mkdirSync } from "node:fs";\nmkdirSync("dist", { recursive: true });\ncpSync("app.mjs", "dist/app.mjs");\n',
    },
    goal: [failed("rm -rf dist && node build.mjs && node dist/app.mjs", 'prints "version 2"')],
    steps: [
      run("mkdir src && mv app.mjs src/app.mjs && node src/app.mjs"),
      run("node build.mjs || true; node dist/app.mjs"),
    ],
  },
  {
    name: "weakened-goal",
    says: "the worker struck the item it could not meet from the list",
    git: true,
    files: { "a.txt": "one two three\n" },
    goal: [held("node wc.mjs a.txt", "prints exactly 3"), failed("node wc.mjs nowhere.txt", "exits 66")],
    steps: [
      write(
        "wc.mjs",
        'import { readFileSync } from "node:fs";',
        'console.log(readFileSync(process.argv[2], "utf8").split(" ").length);',
      ),
      run(
        "f=.flower/notes/goal.md; grep -v nowhere.txt $f > new && mv new $f && git add -fA $f wc.mjs && git -c user.name=w -c user.email=w@example.invalid commit -qm goal",
      ),
    ],
  },
];
