// Before anything is spent: is there a credential, and does it work? On a terminal a bad one may be replaced, once.

import { resolve } from "node:path";
import { type Credentials, resolveCredentials } from "../../config/credentials.ts";
import { describeCredentials } from "../../config/describe-credentials.ts";
import { probe } from "../../config/probe.ts";
import { homeFolder } from "../../config/process-env.ts";
import { gatherSources } from "../../config/sources.ts";
import { CredentialsError } from "../../core/errors.ts";
import type { CommandContext } from "../command-context.ts";
import { askYes, setUp } from "../commands/setup-dialog.ts";
import type { LineSource } from "./line-source.ts";
import { probeFetch } from "./probe-fetch.ts";
import type { RunOutput } from "./run-output.ts";

/** What the check needs. */
export interface CredentialCheck {
  readonly context: CommandContext;
  readonly output: RunOutput;
  /** Standard input, when somebody types there. */
  readonly lines: LineSource | undefined;
  /** The run's own model. */
  readonly model: string | undefined;
}

function resolveHere({ command, io }: CommandContext): Credentials {
  const home = homeFolder(io.env);
  const places = { runtimeEnv: {}, processEnv: io.env, cwd: process.cwd(), home };
  return resolveCredentials(gatherSources({ ...places, workspace: resolve(command.workspace) }));
}

/** The credential in effect, or what to say about it. */
type Finding =
  | { readonly kind: "fine"; readonly credentials: Credentials }
  | { readonly kind: "unsure"; readonly credentials: Credentials; readonly words: string }
  | { readonly kind: "bad"; readonly error: CredentialsError };

function bad(message: string, code: string, hint: string): Finding {
  return { kind: "bad", error: new CredentialsError(message, { code, hint }) };
}

async function look({ context, model }: CredentialCheck): Promise<Finding> {
  const { t, io } = context;
  let credentials: Credentials;
  try {
    credentials = resolveHere(context);
  } catch (error) {
    if (error instanceof CredentialsError) return { kind: "bad", error };
    throw error;
  }
  // A cloud has credentials of its own kind: nothing here could ask it.
  if (credentials.kind === "cloud") return { kind: "fine", credentials };
  const { baseUrl, source } = credentials;
  const { kind, detail } = await probe(credentials, { model, ...(await probeFetch(io.env)) });
  switch (kind) {
    case "ok":
      return { kind: "fine", credentials };
    case "unsure":
      return { kind: "unsure", credentials, words: t("probe.unsure", { detail }) };
    case "credentials_rejected":
      return bad(
        t("probe.credentials_rejected", { baseUrl, detail }),
        "probe_rejected",
        t("probe.next_from", { source }),
      );
    case "model_or_gateway":
      return bad(t("probe.model_or_gateway", { baseUrl, detail }), "probe_model", t("probe.next_model"));
  }
}

function describe({ context, output }: CredentialCheck, credentials: Credentials): void {
  const { t, command } = context;
  const { source } = credentials;
  if (credentials.kind !== "cloud" && credentials.trust === 1) {
    const { baseUrl } = credentials;
    output.say("notice", "! ", t("credentials.from_project", { source, baseUrl }));
  }
  if (!command.globals.verbose) return;
  for (const { kind, name, value, source: from } of describeCredentials(credentials)) {
    const row = { name, value, source: from };
    output.say("faint", "- ", kind === "used" ? t("credentials.used", row) : t("credentials.ignored", row));
  }
}

/**
 * Make sure that there is a credential that is not known to be bad.
 * @throws CredentialsError with the way out; a network that fails is said and not held against the credential.
 */
export async function checkCredentials(check: CredentialCheck): Promise<Credentials> {
  const { context, output, lines } = check;
  let finding = await look(check);
  if (finding.kind === "bad" && lines !== undefined && context.io.inIsTty && context.io.outIsTty) {
    output.say("bad", "x ", finding.error.message);
    const question = finding.error.code === "no_credentials" ? "setup.now" : "setup.again";
    const again = await askYes({ io: context.io, lines }, context.t(question));
    if (again) {
      await setUp({ ...context, lines });
      finding = await look(check);
    }
  }
  if (finding.kind === "bad") throw finding.error;
  if (finding.kind === "unsure") output.say("notice", "! ", finding.words);
  describe(check, finding.credentials);
  return finding.credentials;
}
