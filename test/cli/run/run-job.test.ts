import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { parseCommandLine } from "../../../src/cli/args/parse-command-line.ts";
import type { CommandContext } from "../../../src/cli/command-context.ts";
import { LiveLines } from "../../../src/cli/run/live-lines.ts";
import { runJob } from "../../../src/cli/run/run-job.ts";
import { RunOutput } from "../../../src/cli/run/run-output.ts";
import { createPaint } from "../../../src/cli/screen/paint.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { FakeTerminal } from "../terminal/fake-terminal.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A run without a channel at a terminal, whose step is at work or only about to be. */
function stage({ isHeard }: { readonly isHeard: boolean }) {
  const terminal = new FakeTerminal(100);
  const lines = new LiveLines(terminal.streams, createPaint(false));
  closing.push(() => lines.close());
  const line = parseCommandLine(["once", "make it"]);
  if (line.kind !== "command") throw new Error(line.kind);
  const printed: string[] = [];
  const context: CommandContext = {
    command: line,
    t: createTranslator("en"),
    io: {
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      env: { NO_COLOR: "1" },
      inIsTty: true,
      outIsTty: true,
      columns: () => 100,
      out: (text) => void printed.push(text),
      err: (text) => void printed.push(text),
      flushed: async () => true,
      echo: undefined,
      printOn: () => {},
    },
  };
  const said: string[] = [];
  let isAtWork = false;
  const interrupt = (words: string) => {
    said.push(words);
    return isAtWork && isHeard;
  };
  const runtime = {
    listen: () => () => {},
    interrupt,
    rescue: () => {},
    close: async () => {},
    totalCost: () => 0,
    manifestPath: "/nowhere/manifest.json",
    workspace: "/nowhere",
  } as unknown as Runtime;
  const run = () =>
    runJob({
      context,
      output: new RunOutput(context),
      runtime,
      channel: undefined,
      lines,
      work: async () => {
        isAtWork = true;
        return { kind: "stopped", reason: "over", hint: "" };
      },
    });
  return { terminal, lines, printed, said, run };
}

describe("a line typed before a run without a channel", () => {
  it("is said to the step that begins", async () => {
    const { terminal, lines, printed, said, run } = stage({ isHeard: true });
    terminal.type("use node\r");
    await expect.poll(() => lines.waiting).toBe(1);
    await run();
    expect(said).toEqual(["use node"]);
    expect(printed.slice(0, 2)).toEqual(["> use node", "+ said to it at once"]);
    expect(printed.join("\n")).toContain("over");
    expect(printed.join("\n")).not.toContain("unexpected");
  });

  it("is not called said where no step hears it", async () => {
    const { terminal, lines, printed, run } = stage({ isHeard: false });
    terminal.type("use node\r");
    await expect.poll(() => lines.waiting).toBe(1);
    await run();
    expect(printed.slice(0, 2)).toEqual([
      "> use node",
      "! no step is at work that could hear it; say it again once one is",
    ]);
  });
});
