// Before anything is spent: is there a credential, and does it work? On a terminal a bad one may be replaced, once.

import type { Credentials } from "../../config/credentials.ts";
import { describeCredentials } from "../../config/describe-credentials.ts";
import { translateError } from "../../config/locale/translator.ts";
import { isKnownBad } from "../../config/probe-request.ts";
import { saySource } from "../../config/source-words.ts";
import { CredentialsError } from "../../core/errors.ts";
import type { CommandContext } from "../command-context.ts";
import { askYes } from "../setup/ask-answers.ts";
import { credentialsHere } from "../setup/in-effect.ts";
import { setUp } from "../setup/set-up.ts";
import { testModels, testWords } from "../setup/test-credential.ts";
import type { LineSource } from "./line-source.ts";
import type { RunOutput } from "./run-output.ts";

/** What the check needs. */
export interface CredentialCheck {
  readonly context: CommandContext;
  readonly output: RunOutput;
  /** Standard input, when somebody types there. */
  readonly lines: LineSource | undefined;
  /** The models the run asks for; undefined stands for the configured one. */
  readonly models: readonly (string | undefined)[];
}

/** The credential in effect, or what to say about it. */
type Finding =
  | { readonly kind: "fine"; readonly credentials: Credentials }
  | { readonly kind: "unsure"; readonly credentials: Credentials; readonly words: string }
  | { readonly kind: "bad"; readonly error: CredentialsError };

function bad(message: string, code: string, hint: string): Finding {
  return { kind: "bad", error: new CredentialsError(message, { code, hint }) };
}

async function look({ context, models }: CredentialCheck): Promise<Finding> {
  const { t, io } = context;
  let credentials: Credentials;
  try {
    credentials = credentialsHere(context);
  } catch (error) {
    if (error instanceof CredentialsError) return { kind: "bad", error };
    throw error;
  }
  // A cloud has credentials of its own kind: nothing here could ask it.
  if (credentials.kind === "cloud") return { kind: "fine", credentials };
  const tests = await testModels(credentials, { io, models });
  const test = tests.find(isKnownBad) ?? tests.find(({ kind }) => kind !== "ok") ?? tests[0];
  switch (test.kind) {
    case "ok":
      return { kind: "fine", credentials };
    case "unreachable":
    case "unsure":
      return { kind: "unsure", credentials, words: t("probe.starting", { detail: test.detail }) };
    case "credentials_rejected": {
      const hint = t("probe.next_from", { source: saySource(t, credentials.source) });
      return bad(testWords(t, test), "probe_rejected", hint);
    }
    case "model_unknown":
    case "not_the_api":
      return bad(testWords(t, test), "probe_model", t("probe.next_model"));
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
    const said = { name, value, source: saySource(t, from) };
    output.say("faint", "- ", kind === "used" ? t("credentials.used", said) : t("credentials.ignored", said));
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
    output.say("bad", "x ", translateError(context.t, finding.error).message);
    const question = finding.error.code === "no_credentials" ? "setup.now" : "setup.again";
    const again = await askYes({ ...context, lines }, context.t(question));
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
