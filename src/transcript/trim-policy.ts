// TrimPolicy: which old results are too long to be read to the model again. Doing it is trim.ts.

import { isAbsolute, normalize, sep } from "node:path";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { createPolicyReader } from "./policy-option.ts";

/** Options of {@link TrimPolicy}. */
export interface TrimPolicyOptions {
  /** False trims nothing. @defaultValue true */
  readonly enabled?: boolean | undefined;
  /**
   * The results of this many last calls are left alone.
   * @defaultValue 20: what the model is working with right now
   */
  readonly keepRecent?: number | undefined;
  /**
   * Characters from which on an old result goes to a file.
   * @defaultValue 2000: below it the pointer saves little
   */
  readonly minChars?: number | undefined;
  /**
   * Folder for the files, relative to the workspace and inside it: the model must be able to read them back.
   * @defaultValue ".flower/spill"
   */
  readonly spillDirname?: string | undefined;
}

function requireInside(folder: string): string {
  const path = normalize(folder).split(sep).join("/").replace(/\/+$/, "");
  if (!isAbsolute(folder) && path !== "." && path !== ".." && !path.startsWith("../") && !path.includes("\0"))
    return path;
  throw new OptionError(`TrimPolicy: spillDirname must be a folder inside the workspace, not ${folder}`, {
    code: "bad_option",
    hint: 'pass a relative path such as ".flower/spill"',
  });
}

/**
 * Moves old, long results out of the loaded history into files.
 * @example
 * ```ts
 * import { Runtime, TrimPolicy } from "flower-agent";
 *
 * const runtime = new Runtime({ workspace: ".", trim: new TrimPolicy({ keepRecent: 10, minChars: 4_000 }) });
 * ```
 */
export class TrimPolicy {
  readonly enabled: boolean;
  readonly keepRecent: number;
  readonly minChars: number;
  /** Relative to the workspace, with slashes. */
  readonly spillDirname: string;

  /** @throws OptionError `bad_option`, `unknown_option`, `bad_options`. */
  constructor(options: TrimPolicyOptions = {}) {
    requireObject(options, "TrimPolicy");
    rejectUnknownKeys(options, ["enabled", "keepRecent", "minChars", "spillDirname"], "TrimPolicy");
    const read = createPolicyReader("TrimPolicy");
    this.enabled = read.flag("enabled", options.enabled, true);
    this.keepRecent = read.count("keepRecent", options.keepRecent, { fallback: 20, least: 0 });
    this.minChars = read.count("minChars", options.minChars, { fallback: 2000, least: 1 });
    this.spillDirname = requireInside(read.words("spillDirname", options.spillDirname, ".flower/spill"));
    Object.freeze(this);
  }
}
