// The clarify step: ask until the request is clear, then freeze the brief.

import { join } from "node:path";
import { createOptionReader } from "../agents/option-reader.ts";
import { clarify } from "../agents/roles/clarifier.ts";
import { timestamp } from "../core/ids.ts";
import { writeAtomic } from "../core/json.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { Brief } from "../documents/brief.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { BRIEF_KEY, type Ctx, MISSING_KEY } from "./context.ts";
import { freeze } from "./frozen/freeze.ts";
import { ROLE_KEYS, type RoleOptions, roleOptions } from "./role-spec.ts";
import { forContext, type OnFail, type Prompt, Step } from "./step.ts";

/** Said to a clarifier that was interrupted by the end of its process. */
export const CLARIFY_RESUME =
  "You were interrupted while clarifying. Go on where you stopped: do not start over and do not repeat questions " +
  "that were answered. End with the four sections.";

/** Options of {@link clarifyStep}. */
export interface ClarifyStepOptions<C extends object = Ctx> extends RoleOptions {
  /** Where the brief is frozen. */
  readonly briefPath: string;
  /** What the clarifier is asked: the person's request, in their words. */
  readonly prompt: Prompt<C>;
  /** Name of the step. @defaultValue "clarify" */
  readonly name?: string | undefined;
  /** Ask again although a complete brief is on disk. @defaultValue false */
  readonly alwaysAsk?: boolean | undefined;
  /** What a failure does to the workflow. @defaultValue "stop" */
  readonly onFail?: OnFail | undefined;
  /** Further attempts after an incomplete brief. @defaultValue 0 */
  readonly retries?: number | undefined;
  /** Prompt when a clarification of an earlier process goes on. @defaultValue CLARIFY_RESUME */
  readonly resumePrompt?: Prompt<C> | undefined;
}

const KNOWN = [...ROLE_KEYS, "briefPath", "prompt", "name", "alwaysAsk", "onFail", "retries", "resumePrompt"];

/** Keep what could not be used: an incomplete reply was paid for, and a person may still read it. */
export function keepRaw(documentPath: string, kind: string, text: string): void {
  if (text.trim() === "") return;
  const path = join(documentPath, "..", "archive", "raw", `${kind}-${timestamp()}.md`);
  try {
    writeAtomic(path, `${text}\n`);
  } catch {
    // A full disk: the reply is in the session's transcript as well.
  }
}

/** The document in a result: looked for in the last message, then in all the prose of the turn. */
export function readDocument<D extends { complete(): boolean }>(
  result: StepResult,
  parse: (text: string) => D,
): D {
  const last = parse(result.lastText);
  return last.complete() ? last : parse(result.text);
}

function pour(ctx: Ctx, name: string, brief: Brief): void {
  ctx[BRIEF_KEY] = brief;
  const bag: Record<string, unknown> = ctx;
  bag[name] = brief.promptBlock();
  delete ctx[MISSING_KEY];
}

/**
 * A step that clarifies the request. Pours the Brief into `ctx._brief` and its text into `ctx[name]`; with a complete
 * brief on disk it is skipped and pours that.
 * @example
 * ```ts
 * import { clarifyStep, HumanChannel } from "flower-agent";
 *
 * const briefPath = ".flower/notes/brief.md";
 * const clarify = clarifyStep(new HumanChannel(), { briefPath, prompt: "The person wants a word counter." });
 * ```
 */
export function clarifyStep<C extends object = Ctx>(
  channel: HumanChannel,
  options: ClarifyStepOptions<C>,
): Step<C> {
  rejectUnknownKeys(options, KNOWN, "clarifyStep");
  const briefPath = createOptionReader("clarifyStep", options).name("briefPath");
  const { prompt, name = "clarify", alwaysAsk = false, onFail = "stop", retries = 0 } = options;
  const paper = (ctx: Ctx) => ({
    path: briefPath,
    channel,
    pour: (brief: Brief) => pour(ctx, name, brief),
  });
  const spec = options.spec ?? clarify("clarifier", channel, roleOptions(options));
  const asking = new Step<C>(name, spec, prompt, {
    onFail,
    retries,
    resumePrompt: options.resumePrompt ?? CLARIFY_RESUME,
  });
  const step = forContext<Ctx>(asking).with({
    when: (ctx) => {
      const brief = alwaysAsk ? undefined : Brief.load(briefPath);
      if (brief?.complete() !== true) return true;
      pour(ctx, name, brief);
      freeze(ctx, Brief, paper(ctx));
      return false;
    },
    gate: (result, ctx) => {
      const brief = readDocument(result, (text) => Brief.parse(text));
      if (!brief.complete()) {
        ctx[MISSING_KEY] = brief.missing();
        keepRaw(briefPath, name, result.text);
        return false;
      }
      // What a person said meanwhile may stand in the file already: it stays, whatever the sections become.
      const amendments = Brief.load(briefPath)?.amendments ?? "";
      new Brief({ ...brief, amendments }).write(briefPath);
      channel.flushAmendments();
      pour(ctx, name, Brief.load(briefPath) ?? brief);
      freeze(ctx, Brief, paper(ctx));
      return true;
    },
    onReject: (_result, ctx) =>
      `Your reply lacks: ${(ctx[MISSING_KEY] ?? []).join(", ")}. Reply again with exactly the four sections, none empty.`,
    reduce: (_result, ctx) => ctx[BRIEF_KEY]?.promptBlock() ?? "",
  });
  return forContext<C>(step);
}
