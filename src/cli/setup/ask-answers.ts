// The questions of the set-up at a terminal.

import { OFFICIAL_BASE_URL } from "../../config/base-url.ts";
import { maskSecret } from "../../config/mask-secret.ts";
import type { CommandContext } from "../command-context.ts";
import { askHidden } from "../run/ask-hidden.ts";
import type { LineSource } from "../run/line-source.ts";
import {
  CHOICES,
  type Choice,
  correctedChoice,
  offeredAddress,
  offeredModel,
  ownSecret,
  type SetupAnswers,
  type Stored,
  storedChoice,
  variableOf,
} from "./answers.ts";
import type { GivenAnswers } from "./read-piped.ts";
import { addressShape, modelShape, type Shape, secretShape } from "./shapes.ts";

/** A person at a terminal. */
export type Dialog = Pick<CommandContext, "io" | "t"> & { readonly lines: LineSource };

/** Wrong answers to one question before it is given up: a paste gone wrong answers all of them. */
const MAX_TRIES = 3;

/** Ask a question that `y` (or Enter) agrees to. */
export async function askYes({ lines, t }: Dialog, question: string): Promise<boolean> {
  const answer = (await lines.ask(`? ${question} ${t("setup.yes_no")}`))?.trim() ?? "";
  return !lines.ended && /^(?:y|yes|s|sim|是|好|)$/i.test(answer);
}

/** Ask until the answer can be one; undefined when the input ended, nothing was entered, or it never can be. */
async function askUntil(
  dialog: Dialog,
  ask: () => Promise<string | undefined>,
  shape: (text: string) => Shape,
): Promise<string | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const text = await ask();
    if (text === undefined || dialog.lines.ended) return undefined;
    const shaped = shape(text);
    if (shaped.kind === "good") return shaped.value;
    dialog.io.err(`x ${dialog.t(shaped.key)}`);
  }
  return undefined;
}

async function askChoice(dialog: Dialog, stored: Stored): Promise<Choice | undefined> {
  const { io, t, lines } = dialog;
  io.out(t("setup.kind"));
  for (const [i, choice] of CHOICES.entries()) io.out(`  ${i + 1}. ${t(`setup.kind.${choice}`)}`);
  const usual = CHOICES.indexOf(storedChoice(stored) ?? "api_key") + 1;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const typed = (await lines.ask(`[${usual}]`))?.trim();
    if (typed === undefined || lines.ended) return undefined;
    const choice = CHOICES[(typed === "" ? usual : Number(typed)) - 1];
    if (choice !== undefined) return choice;
    io.err(`x ${t("setup.choose", { count: CHOICES.length })}`);
  }
  return undefined;
}

async function askSecret(dialog: Dialog, choice: Choice, stored: Stored): Promise<string | undefined> {
  const own = ownSecret(choice);
  if (own !== undefined) return own;
  const { t } = dialog;
  const known = storedChoice(stored) === choice ? stored[variableOf(choice)] : undefined;
  const question =
    known === undefined ? t("setup.secret") : t("setup.secret_keep", { masked: maskSecret(known) });
  return await askUntil(
    dialog,
    async () => (await askHidden(dialog, `${question}: `)).trim() || known || undefined,
    secretShape,
  );
}

async function askAddress(dialog: Dialog, choice: Choice, stored: Stored): Promise<string | undefined> {
  const { t, lines } = dialog;
  const offered = offeredAddress(choice, stored);
  const question = offered === undefined ? t("setup.address") : t("setup.address_keep", { baseUrl: offered });
  return await askUntil(
    dialog,
    async () => (await lines.ask(question))?.trim() || offered || "",
    addressShape,
  );
}

/** @returns undefined when nothing usable was said, the empty name for the harness's own choice. */
async function askModel(dialog: Dialog, choice: Choice, stored: Stored): Promise<string | undefined> {
  const { t, lines } = dialog;
  const known = offeredModel(choice, stored);
  const question =
    choice === "local" ? "setup.model_needed" : known === "" ? "setup.model" : "setup.model_keep";
  const none: Shape = { kind: "good", value: "" };
  return await askUntil(
    dialog,
    async () => (await lines.ask(t(question, { model: known })))?.trim(),
    (text) => {
      if (choice !== "local" && (text === "-" || (text === "" && known === ""))) return none;
      return modelShape(text || known);
    },
  );
}

/** Ask for what the command line does not give. @returns undefined when the person left or never gave a usable answer. */
export async function askAnswers(
  dialog: Dialog,
  given: GivenAnswers,
  stored: Stored,
): Promise<SetupAnswers | undefined> {
  const chosen = given.choice ?? (await askChoice(dialog, stored));
  if (chosen === undefined) return undefined;
  const secret = await askSecret(dialog, chosen, stored);
  if (secret === undefined) return undefined;
  const choice = correctedChoice(chosen, secret);
  if (choice !== chosen) {
    const { io, t } = dialog;
    io.out(`! ${t("setup.corrected", { what: t(`setup.kind.${choice}`), name: variableOf(choice) })}`);
  }
  const official = choice === "oauth_token" ? OFFICIAL_BASE_URL : undefined;
  const baseUrl = given.url ?? official ?? (await askAddress(dialog, choice, stored));
  if (baseUrl === undefined) return undefined;
  const model = given.model ?? (await askModel(dialog, choice, stored));
  return model === undefined ? undefined : { choice, secret, baseUrl, model };
}
