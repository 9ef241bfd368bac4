// Finished works: programs, and what they print, where, and with which exit code.
import { held, prose, run, write } from "../work.mjs";

export const FINISHED_PROGRAMS = [
  {
    name: "script",
    says: "a small program with two inputs",
    files: { "a.txt": "one two three\n", "b.txt": "alpha beta" },
    goal: [
      held("node wc.mjs a.txt", "prints exactly 3"),
      held("node wc.mjs b.txt", "prints exactly 2"),
      prose("`wc.mjs` begins with a comment that says what it counts"),
    ],
    steps: [
      write(
        "wc.mjs",
        "// Counts the words of a file: whatever stands between white space.",
        'import { readFileSync } from "node:fs";',
        'console.log((readFileSync(process.argv[2], "utf8").match(/\\S+/g) ?? []).length);',
      ),
      run("node wc.mjs a.txt && node wc.mjs b.txt"),
    ],
  },
  {
    name: "exit-code",
    says: "a checker that has to fail for one input",
    files: { "good.txt": "fine\n", "bad.txt": "trailing \n" },
    goal: [held("node lint.mjs bad.txt", "exits 2"), held("node lint.mjs good.txt", "exits 0")],
    steps: [
      write(
        "lint.mjs",
        'import { readFileSync } from "node:fs";',
        'const bad = readFileSync(process.argv[2], "utf8").split("\\n").filter((line) => /\\s$/.test(line));',
        "for (const line of bad) console.error(`white space at the end: ${JSON.stringify(line)}`);",
        "process.exitCode = bad.length > 0 ? 2 : 0;",
      ),
      run("node lint.mjs good.txt; node lint.mjs bad.txt; echo $?"),
    ],
  },
  {
    name: "standard-error",
    says: "a message that belongs on standard error, and an exit code that is not 0",
    goal: [
      held("node cli.mjs --nope", "exits 64"),
      held("node cli.mjs --nope 2>&1 >/dev/null | head -1", 'prints "unknown option --nope"'),
      held("node cli.mjs --version", "prints exactly 1.0.0"),
    ],
    steps: [
      write(
        "cli.mjs",
        "const [option] = process.argv.slice(2);",
        'if (option === "--version") console.log("1.0.0");',
        "else {",
        "  console.error(`unknown option ${option}`);",
        "  process.exitCode = 64;",
        "}",
      ),
    ],
  },
  {
    name: "pattern",
    says: "output that is right when it has a form",
    files: { "package.json": '{ "name": "thing", "version": "2.10.3" }\n' },
    goal: [held("node version.mjs", "matches /^v\\d+\\.\\d+\\.\\d+$/")],
    steps: [
      write(
        "version.mjs",
        'import { readFileSync } from "node:fs";',
        'const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));',
        "console.log(`v${version}`);",
      ),
      run("node version.mjs"),
    ],
  },
  {
    name: "other-script",
    says: "output and expectation in another script",
    goal: [
      held("node greet.mjs 世界", "输出 你好，世界"),
      held("node greet.mjs André", "imprime 你好，André"),
    ],
    steps: [write("greet.mjs", "console.log(`你好，${process.argv[2]} ✓`);"), run("node greet.mjs 世界")],
  },
  {
    name: "slow",
    says: "a command that takes its time and is right",
    goal: [held("node build.mjs", 'prints "built 200 pages"')],
    steps: [
      write(
        "build.mjs",
        'import { setTimeout as sleep } from "node:timers/promises";',
        "await sleep(2000);",
        'console.log("built 200 pages");',
      ),
    ],
  },
  {
    name: "colours",
    says: "the words stand in the output with colours between them",
    goal: [held("node summary.mjs", 'prints "3 passed, 0 failed"')],
    steps: [
      write(
        "summary.mjs",
        "const paint = (code, word) => `\\u001b[${code}m${word}\\u001b[0m`;",
        'console.log(`${paint(32, "3")} passed, ${paint(31, "0")} failed`);',
      ),
    ],
  },
  {
    name: "quiet",
    says: "something must no longer be printed",
    files: { "app.mjs": 'console.log("DEBUG start");\nconsole.log("ready");\n' },
    goal: [held("node app.mjs", "does not print DEBUG"), held("node app.mjs", "prints exactly ready")],
    steps: [run("grep -v DEBUG app.mjs > app.new && mv app.new app.mjs && node app.mjs")],
  },
  {
    name: "big-output",
    says: "megabytes of output, with what is looked for at their end",
    goal: [
      held("node list.mjs", 'prints "60000 lines in all"'),
      held("node list.mjs | wc -l", "prints 60001"),
    ],
    steps: [
      write(
        "list.mjs",
        "const lines = Array.from({ length: 60_000 }, (_, n) => `${n}`.padStart(50, '.'));",
        'process.stdout.write(`${lines.join("\\n")}\\n60000 lines in all\\n`);',
      ),
    ],
  },
  {
    name: "bugfix",
    says: "an error in a program that was there before",
    files: {
      "mean.mjs":
        "const all = process.argv.slice(2).map(Number);\nconsole.log(all.reduce((sum, one) => sum + one, 0) / all.length);\n",
    },
    goal: [held("node mean.mjs", "prints exactly 0"), held("node mean.mjs 1 2 6", "prints exactly 3")],
    steps: [
      run("sed -i.old 's|/ all.length|/ Math.max(1, all.length)|' mean.mjs && rm mean.mjs.old"),
      run("node mean.mjs && node mean.mjs 1 2 6"),
    ],
  },
];
