// The questions of the set-up, and writing their answers to the person's own file.

import { resolve } from "node:path";
import { OFFICIAL_BASE_URL } from "../../config/base-url.ts";
import { type DirectCredentials, resolveCredentials } from "../../config/credentials.ts";
import { maskSecret } from "../../config/mask-secret.ts";
import { probe } from "../../config/probe.ts";
import { homeFolder, userEnvPath } from "../../config/process-env.ts";
import { gatherSources } from "../../config/sources.ts";
import { writeUserEnv } from "../../config/user-env.ts";
import { CREDENTIAL_VARIABLES, type DirectKind } from "../../config/variables.ts";
import { FlowerError } from "../../core/errors.ts";
import type { CommandContext } from "../command-context.ts";
import type { Io } from "../io.ts";
import { askHidden } from "../run/ask-hidden.ts";
import type { LineSource } from "../run/line-source.ts";
import { probeFetch } from "../run/probe-fetch.ts";
import { homePath } from "../screen/layout.ts";

/** A person at a terminal. */
export interface Dialog {
  readonly io: Io;
  readonly lines: LineSource;
}

/** A dialog that speaks a language and knows its folder. */
export type SetupDialog = CommandContext & Dialog;

async function askLine({ lines }: Dialog, question: string): Promise<string> {
  return (await lines.ask(question))?.trim() ?? "";
}

/** Ask a question that `y` (or Enter) agrees to. */
export async function askYes(dialog: Dialog, question: string): Promise<boolean> {
  const answer = await askLine(dialog, `? ${question} [y/n]`);
  return !dialog.lines.ended && /^(?:y|yes|s|sim|是|好|)$/i.test(answer);
}

const KINDS: readonly DirectKind[] = ["api_key", "auth_token", "oauth_token"];

async function askKind(dialog: SetupDialog): Promise<DirectKind> {
  const { io, t } = dialog;
  io.out(t("setup.kind"));
  for (const [i, kind] of KINDS.entries()) io.out(`  ${i + 1}. ${t(`setup.kind.${kind}`)}`);
  const typed = await askLine(dialog, "[1]");
  return KINDS[Number(typed) - 1] ?? "api_key";
}

/** The answers as changes of the file; the other kinds go, or a stale one could win over the new one. */
function changesOf(answers: {
  readonly kind: DirectKind;
  readonly secret: string;
  readonly baseUrl: string;
  readonly model: string;
}): Record<string, string | undefined> {
  const others = KINDS.map((kind) => [CREDENTIAL_VARIABLES[kind], undefined] as const);
  return {
    ...Object.fromEntries(others),
    [CREDENTIAL_VARIABLES[answers.kind]]: answers.secret,
    ANTHROPIC_BASE_URL: answers.baseUrl === OFFICIAL_BASE_URL ? undefined : answers.baseUrl,
    ANTHROPIC_MODEL: answers.model === "" ? undefined : answers.model,
  };
}

function effective({ command, io }: CommandContext): DirectCredentials | undefined {
  const places = { runtimeEnv: {}, processEnv: io.env, cwd: process.cwd(), home: homeFolder(io.env) };
  try {
    const found = resolveCredentials(gatherSources({ ...places, workspace: resolve(command.workspace) }));
    return found.kind === "cloud" ? undefined : found;
  } catch (error) {
    if (error instanceof FlowerError) return undefined;
    throw error;
  }
}

async function tellProbe(dialog: SetupDialog, credentials: DirectCredentials): Promise<boolean> {
  const { io, t } = dialog;
  const { baseUrl } = credentials;
  io.out(`~ ${t("probe.checking", { baseUrl })}`);
  const { kind, detail } = await probe(credentials, await probeFetch(io.env));
  if (kind === "ok") io.out(`+ ${t("probe.ok")}`);
  else if (kind === "unsure") io.out(`! ${t("probe.unsure_saved", { detail })}`);
  else io.err(`x ${t(`probe.${kind}`, { baseUrl, detail })}`);
  return kind === "ok" || kind === "unsure";
}

/** Ask, write, test. @returns whether the credential works, as far as can be told. */
export async function setUp(dialog: SetupDialog): Promise<boolean> {
  const { io, t } = dialog;
  const path = userEnvPath(io.env);
  const before = effective(dialog);
  io.out(t("setup.intro"));
  const kind = await askKind(dialog);
  const secret = (await askHidden(dialog, `${t("setup.secret")}: `)).trim();
  if (secret === "") {
    io.err(`x ${t("setup.empty")}`);
    return false;
  }
  const known = before?.baseUrl ?? OFFICIAL_BASE_URL;
  const baseUrl = (await askLine(dialog, t("setup.base_url", { baseUrl: known }))) || known;
  const knownModel = before?.models.ANTHROPIC_MODEL ?? "";
  const model = (await askLine(dialog, t("setup.model", { model: knownModel }))) || knownModel;
  writeUserEnv(path, changesOf({ kind, secret, baseUrl, model }));
  io.out(`+ ${t("setup.saved", { path: homePath(path, homeFolder(io.env)) })}  (${maskSecret(secret)})`);
  const now = effective(dialog);
  if (now !== undefined && now.value !== secret) {
    io.out(`! ${t("setup.shadowed", { name: CREDENTIAL_VARIABLES[now.kind], source: now.source })}`);
  }
  return now !== undefined && (await tellProbe(dialog, now));
}
