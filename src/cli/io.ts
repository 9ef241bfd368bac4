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
  /** Wait until what was written to standard output has been taken; false once its reader went away. */
  readonly flushed: () => Promise<boolean>;
  /** Terminal on which what is typed is shown; undefined where there is none. */
  readonly echo: NodeJS.WriteStream | undefined;
  /** Hand every line for the terminal to whoever draws on it; undefined ends it. */
  readonly printOn: (print: ((line: string) => void) | undefined) => void;
}

/** A reader that went away (`| head`) is no fault of the run: what is written after it goes nowhere. */
function ignoreBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on("error", () => {});
}

function waitFlushed(stream: NodeJS.WriteStream): Promise<boolean> {
  if (stream.destroyed) return Promise.resolve(false);
  if (!stream.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (isOpen: boolean) => {
      stream.off("drain", onDrain).off("close", onClose);
      resolve(isOpen);
    };
    const onDrain = () => done(true);
    const onClose = () => done(false);
    stream.on("drain", onDrain).on("close", onClose);
  });
}

/** Whether this is an automatic build, which may give its commands a terminal that nobody sits at. */
export function isAutomatic({ CI }: Readonly<Record<string, string>>): boolean {
  return CI !== undefined && !["", "0", "false"].includes(CI.toLowerCase());
}

/** This process's own streams and environment. */
export function processIo(): Io {
  const env = readProcessEnv();
  const { stdin, stdout, stderr } = process;
  ignoreBrokenPipe(stdout);
  ignoreBrokenPipe(stderr);
  let drawn: ((line: string) => void) | undefined;
  const printer = (stream: NodeJS.WriteStream) => (line: string) => {
    if (drawn !== undefined && stream.isTTY) drawn(line);
    else stream.write(`${line}\n`);
  };
  return {
    stdin,
    env,
    inIsTty: stdin.isTTY === true && !isAutomatic(env),
    outIsTty: stdout.isTTY === true,
    columns: () => stdout.columns,
    out: printer(stdout),
    err: printer(stderr),
    flushed: () => waitFlushed(stdout),
    echo: [stdout, stderr].find((stream) => stream.isTTY),
    printOn: (print) => {
      drawn = print;
    },
  };
}
