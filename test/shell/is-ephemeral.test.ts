import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expected: boolean;
  readonly why: string;
}
interface Line {
  readonly command: string;
  readonly readOnly: boolean;
  readonly why: string;
}

function fixture<T>(name: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/shell/${name}`, import.meta.url), "utf8")) as T[];
}

const CASES = fixture<Case>("bash-readonly.json");
const LINES = fixture<Line>("commands.json");

describe("a command line from a failure report", () => {
  it.each(CASES)("$id: $why", ({ input, expected }) => {
    expect(isEphemeral(input)).toBe(expected);
  });
});

describe("a glance as models write them passes", () => {
  it.each(LINES.filter((line) => line.readOnly))("$why: $command", ({ command }) => {
    expect(isEphemeral(command)).toBe(true);
  });
});

describe("a line that could do more than look is refused", () => {
  it.each(LINES.filter((line) => !line.readOnly))("$why: $command", ({ command }) => {
    expect(isEphemeral(command)).toBe(false);
  });
});
