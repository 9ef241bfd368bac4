// What the rows of several files share.
import { AgentSpec, type Ctx, type Prompt } from "../../src/index.ts";

/** The one agent of the table's steps. Says nothing, does nothing; it is never started. */
export const oneAgent = new AgentSpec({ name: "x", instructions: "" });

/** Why a name is not the original's. */
export const ON_DISK_ENGLISH = "names on disk and keys are English, whatever the language of the screen";

/** A prompt's words. */
export function said(prompt: Prompt, ctx: Ctx = {}): string {
  return typeof prompt === "function" ? prompt(ctx) : prompt;
}
