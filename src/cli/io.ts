// The process as a command meets it: streams, environment, whether a person sits there. Commands take one of these.

import { readProcessEnv } from "../config/process-env.ts";

/** Streams and environment of one invocation. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string>>;
  /** A person can type here. */
  readonly inIsTty: boolean;
  /** A person can read here. */
  readonly outIsTty: boolean;
  /** Columns of the terminal; undefined when nobody says. */
  readonly columns: () => number | undefined;
  /** Write a line to standard output. */
  readonly out: (line: string) => void;
  /** Write a line to standard error. */
  readonly err: (line: string) => void;
  /** Write to standard output without ending the line. */
  readonly prompt: (text: string) => void;
}

/** A reader that went away (`| head`) is no fault of the run: what is written after it goes nowhere. */
function ignoreBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on("error", () => {});
}

/** This process's own streams and environment. */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  ignoreBrokenPipe(stdout);
  ignoreBrokenPipe(stderr);
  return {
    stdin,
    env: readProcessEnv(),
    inIsTty: stdin.isTTY === true,
    outIsTty: stdout.isTTY === true,
    columns: () => stdout.columns,
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    prompt: (text) => void stdout.write(text),
  };
}
