// Unfinished works that show in where things are: missing, elsewhere, not merged, only on the worker's side, not here.
import { failed, held, prose, run, unverifiable, write } from "../work.mjs";

const WORDS = [
  'import { readFileSync } from "node:fs";',
  'console.log((readFileSync(process.argv[2], "utf8").match(/\\S+/g) ?? []).length);',
];
/** The head of a program for a machine of 1980: no system of today starts it. */
const FOREIGN =
  "printf '\\177ELF\\002\\001\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000\\002\\000\\004\\000\\001\\000\\000\\000'";

export const UNFINISHED_PLACE = [
  {
    name: "missing-file",
    says: "one of two files was never written",
    files: { "a.txt": "one two three\n" },
    goal: [
      held("node wc.mjs a.txt", "prints exactly 3"),
      failed("node wc.mjs docs/usage.md", "matches /^\\d+$/"),
    ],
    steps: [write("wc.mjs", ...WORDS), run("node wc.mjs a.txt")],
  },
  {
    name: "claimed-report",
    says: "a file for a reader that is only claimed",
    goal: [
      held("node fast.mjs", "prints done"),
      prose("`docs/benchmark.md` holds the times before and after", false),
    ],
    steps: [write("fast.mjs", 'console.log("done");'), run("node fast.mjs")],
  },
  {
    name: "wrong-place",
    says: "the output is written beside the folder it belongs in",
    goal: [failed("node report.mjs", "creates out/report.csv"), held("node report.mjs", "exits 0")],
    steps: [
      write(
        "report.mjs",
        'import { writeFileSync } from "node:fs";',
        'writeFileSync("report.csv", "name,total\\n");',
      ),
      run("node report.mjs && cat report.csv"),
    ],
  },
  {
    name: "not-found",
    says: "the program was never put where it is called, so that the shell does not find it",
    goal: [
      failed("./bin/greet World", 'prints "Hello, World"'),
      held("node greet.mjs World", 'prints "Hello, World"'),
    ],
    steps: [write("greet.mjs", "console.log(`Hello, ${process.argv[2]}`);"), run("node greet.mjs World")],
  },
  {
    name: "foreign-binary",
    says: "a program built for another machine",
    goal: [failed("./hello", "prints hello"), held("test -x hello", "exits 0")],
    steps: [run(`${FOREIGN} > hello && chmod +x hello && ls -l hello`)],
  },
  {
    name: "workers-shell",
    says: "found only with the PATH the worker had set in its own shell",
    goal: [
      unverifiable("greet-flower World", 'prints "Hello, World"'),
      held("test -x tools/greet-flower", "exits 0"),
    ],
    steps: [
      write("tools/greet-flower", "#!/bin/sh", 'echo "Hello, $1"'),
      run('chmod +x tools/greet-flower && export PATH="$PWD/tools:$PATH" && greet-flower World'),
    ],
  },
  {
    name: "ignored-file",
    says: "works with a file git ignores, so not for anybody else; the list has it run from a clone",
    git: true,
    files: { ".gitignore": "local/\n", "README.md": "# app\n" },
    goal: [
      held("node app.mjs", "prints ready"),
      failed('d=$(mktemp -d) && git clone -q . "$d/app" && node "$d/app/app.mjs"', "prints ready"),
    ],
    steps: [
      write("local/settings.mjs", 'export const word = "ready";'),
      write("app.mjs", 'import { word } from "./local/settings.mjs";', "console.log(word);"),
      run(
        "node app.mjs && git add -A . && git -c user.name=w -c user.email=w@example.invalid commit -qm app",
      ),
    ],
  },
  {
    name: "never-merged",
    says: "two isolated workers changed the same line, so that one branch cannot be merged",
    git: true,
    isolate: true,
    files: { "routes.mjs": 'const routes = ["/"];\nconsole.log(routes.join(" "));\n' },
    goal: [failed("node routes.mjs", "matches /\\/users.*\\/orders|\\/orders.*\\/users/")],
    workers: [
      [run('sed \'s|"/"|"/", "/users"|\' routes.mjs > new && mv new routes.mjs && node routes.mjs')],
      [run('sed \'s|"/"|"/", "/orders"|\' routes.mjs > new && mv new routes.mjs && node routes.mjs')],
    ],
  },
  {
    name: "needs-network",
    says: "nobody can tell here: it needs a service on the network, which the list says",
    goal: [
      unverifiable("node rates.mjs EUR", "prints EUR [cannot verify here: it needs the network]"),
      held("node --check rates.mjs", "exits 0"),
    ],
    claims: { 1: "not tried: there is no network here" },
    steps: [
      write(
        "rates.mjs",
        "const reply = await fetch(`https://rates.example.invalid/${process.argv[2]}`);",
        "console.log(process.argv[2], await reply.txt());",
      ),
      run("node --check rates.mjs"),
    ],
  },
  {
    name: "needs-display",
    says: "nobody can tell here: it needs a display",
    goal: [unverifiable("node window.mjs", "prints drawn"), held("node --check window.mjs", "exits 0")],
    claims: { 1: "not tried: there is no display here" },
    steps: [
      write(
        "window.mjs",
        "if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {",
        '  console.error("Error: cannot open display: ");',
        "  process.exit(1);",
        "}",
        'throw new TypeError("window.draw is not a function");',
      ),
      run("node --check window.mjs"),
    ],
  },
];
