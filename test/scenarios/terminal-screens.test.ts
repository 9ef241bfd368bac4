// What a person sees in the main moments, on terminals of several widths and in several languages. The screens are kept
// in test/screens/ and shown in docs/terminal.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ApiRequest,
  allText,
  ask,
  dispatch,
  lastToolResult,
  text,
  toolUse,
  turn,
} from "../../src/testing/index.ts";
import { cliStage } from "./cli-stage.ts";
import { keptScreen, type Sitting, sitDown } from "./pty-stage.ts";

/** A command may end just before its turn is stopped, or just after. */
const STOPPED = "x parado antes de terminar\n";
const kept = (sitting: Sitting, name: string) =>
  expect(keptScreen(sitting).replace(STOPPED, "")).toMatchFileSnapshot(`../screens/${name}.txt`);

const FULL = { usage: { inputTokens: 12_000, outputTokens: 10 } };

describe("a screen of 110 columns, in Chinese", () => {
  it("takes a full-width number, shows both rounds, and what it has come to", async () => {
    const play = await cliStage((workspace) => ({
      clarifier: [
        ask(
          "统计哪些文件？目录里有好几种文件，选哪一种对速度影响很大；如果不确定，可以先只统计文本文件，以后再扩展到其他类型。",
          ["只统计文本文件", "所有文件，包括二进制文件"],
        ),
        text(
          "## 目标\n统计文件中的单词数。\n\n## 验收标准\n- 程序打印单词数\n\n## 边界\n只改一个文件。\n\n## 未知与假设\n文件是 UTF-8 编码。\n",
        ),
      ],
      judge: [
        text("## 目标\n一个单词计数器。\n\n## 判定清单\n- `sh count.sh` -> prints 3\n"),
        text("## 结论\n尚未达成\n\n## 理由\n1：打印的是 0。\n\n## 未通过\n- 1：`sh count.sh` 打印 0\n"),
        text("## 结论\n达成\n\n## 理由\n1：现在打印 3。\n\n## 未通过\n（无）\n"),
      ],
      coordinator: [
        dispatch("coder", "写一个统计单词的脚本 count.sh，并运行一次。"),
        text("脚本已写好。"),
        dispatch("coder", "count.sh 打印的是 0，应当是 3。请改正并运行一次。"),
        text("现在打印 3。"),
      ],
      workers: {
        coder: [
          toolUse("Write", { file_path: join(workspace, "count.sh"), content: "echo 0\n" }),
          text("结论：count.sh 已写好。"),
          toolUse("Bash", { command: "echo 'echo 3' > count.sh && sh count.sh" }),
          text("结论：count.sh 打印 3。"),
        ],
      },
    }));
    const sitting = sitDown(play, ["--lang", "zh", "统计单词"], { columns: 110 });
    await sitting.shown("回车跳过");
    sitting.type("２");
    await sitting.shown("> 2. 所有文件");
    await kept(sitting, "question-zh-110");
    sitting.type("\r");
    expect(await sitting.ended).toBe(0);
    await kept(sitting, "end-zh-110");
    expect(readFileSync(join(play.workspace, ".flower/notes/qa.md"), "utf8")).toContain("所有文件");
    play.api.verify();
  });
});

describe("a screen of 200 columns, in Portuguese", () => {
  it("skips a question, tells workers side by side apart, and shows a handoff as a block", async () => {
    let sitting: Sitting;
    const isFirst = (request: ApiRequest) => lastToolResult(request, "Bash") === "";
    const play = await cliStage({
      clarifier: [
        ask("Com que rapidez deve funcionar?"),
        text(
          "## Objetivo\nContar palavras.\n\n## Critérios de aceitação\n- conta\n\n## Limites\nNada mais.\n\n## Incógnitas e suposições\nNenhuma.\n",
        ),
      ],
      coordinator: [
        [dispatch("coder", "Escreva a parte A."), dispatch("coder", "Escreva a parte B.")],
        turn(toolUse("Bash", { command: "ls" }), FULL),
        text(
          "## Doing\nContando as palavras; a parte A e a parte B estão escritas.\n\n## Next\nJuntar as duas partes.\n",
        ),
        text("As duas partes estão juntas."),
      ],
      workers: {
        // Two workers ask in any order: each answer waits until what comes before it is on the screen.
        coder: Array.from({ length: 4 }, () => async (request: ApiRequest) => {
          const part = allText(request).includes("parte A") ? "A" : "B";
          if (isFirst(request)) {
            await sitting.shown(part === "A" ? "> coder#2" : "| coder * Bash");
            return toolUse("Bash", { command: `sleep 2; echo ${part}` });
          }
          if (part === "B") await sitting.shown("| coder + A parte A");
          return text(`A parte ${part} está escrita.`);
        }),
      },
    });
    sitting = sitDown(play, ["--lang", "pt", "--no-goal", "--window", "60000", "conte", "palavras"], {
      columns: 200,
    });
    await sitting.shown("Enter pula");
    sitting.type("\r");
    await sitting.shown(/2 em execução: coder: Bash sleep 2; echo A, coder#2: Bash sleep 2; echo B/);
    await kept(sitting, "workers-pt-200");
    expect(await sitting.ended).toBe(0);
    await kept(sitting, "end-pt-200");
    play.api.verify();
  });
});
