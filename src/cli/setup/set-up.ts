// Tests the answers, stores them for the person alone, and says what holds from now on.

import { OFFICIAL_BASE_URL } from "../../config/base-url.ts";
import { parseEnvFile } from "../../config/env-file.ts";
import { userConfigPath } from "../../config/flower-config.ts";
import { translateError } from "../../config/locale/translator.ts";
import { maskSecret } from "../../config/mask-secret.ts";
import { isKnownBad } from "../../config/probe-request.ts";
import { homeFolder, userEnvPath } from "../../config/process-env.ts";
import { readConfigFile } from "../../config/read-config-file.ts";
import { saySource } from "../../config/source-words.ts";
import { writeUserEnv } from "../../config/user-env.ts";
import { BASE_URL_VARIABLE, CLOUD_FLAGS } from "../../config/variables.ts";
import { CredentialsError } from "../../core/errors.ts";
import type { CommandContext } from "../command-context.ts";
import { homePath } from "../screen/layout.ts";
import { changesOf, credentialsOf, type SetupAnswers, type Stored, variableOf } from "./answers.ts";
import { askAnswers, askYes, type Dialog } from "./ask-answers.ts";
import { credentialsHere } from "./in-effect.ts";
import type { GivenAnswers } from "./read-piped.ts";
import { isReadableOnTheWay, kindOfSecret } from "./shapes.ts";
import { type CredentialTest, testCredential, testHint, testMark, testWords } from "./test-credential.ts";

/** What became of the answers. */
export interface SetupResult {
  /** Path of the file, undefined when nothing was written. */
  readonly saved: string | undefined;
  /** Undefined when it was not tested. */
  readonly test: CredentialTest | undefined;
}

/** How answers are applied. */
interface Ways {
  readonly isOffline: boolean;
  /** Asked before something is stored that does not work. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** What a local server's model holds is known to nobody but the person who started it. */
const LOCAL_EXAMPLE = '{ "window": 131072, "budget": "none" }';

/** The values of the person's own file; none when it cannot be read. */
export function storedValues({ io }: Pick<CommandContext, "io">): Stored {
  const read = readConfigFile(userEnvPath(io.env));
  return read.kind === "text" ? parseEnvFile(read.text) : {};
}

function warn({ io, t }: CommandContext, { choice, secret, baseUrl }: SetupAnswers): void {
  if (choice !== "local" && isReadableOnTheWay(baseUrl)) io.out(`! ${t("setup.http", { baseUrl })}`);
  if (choice !== "auth_token" && choice !== "local" && baseUrl === OFFICIAL_BASE_URL) {
    if (kindOfSecret(secret) === undefined) io.out(`! ${t("setup.odd")}`);
  }
}

function tell({ io, t }: CommandContext, test: CredentialTest): void {
  const mark = testMark(test);
  (mark === "x" ? io.err : io.out)(`${mark} ${testWords(t, test)}`);
  const hint = testHint(t, test);
  if (hint !== undefined) (mark === "x" ? io.err : io.out)(`  ${t("error.next", { hint })}`);
}

/** The first thing that holds in place of what was stored, with its source. */
function shadowing(context: CommandContext, answers: SetupAnswers): string | undefined {
  const { t } = context;
  const now = credentialsHere(context);
  if (now.kind === "cloud") {
    return t("setup.shadowed", { name: CLOUD_FLAGS[now.provider], source: saySource(t, now.source) });
  }
  if (now.value !== answers.secret) {
    return t("setup.shadowed", { name: variableOf(now.kind), source: saySource(t, now.source) });
  }
  if (now.baseUrl !== answers.baseUrl) {
    return t("setup.shadowed", { name: BASE_URL_VARIABLE, source: now.baseUrlSource });
  }
  if ((now.models.ANTHROPIC_MODEL ?? "") === answers.model) return undefined;
  return t("setup.shadowed", { name: "ANTHROPIC_MODEL", source: now.modelSources.ANTHROPIC_MODEL ?? "" });
}

function tellShadowing(context: CommandContext, answers: SetupAnswers): void {
  const { io, t } = context;
  try {
    const words = shadowing(context, answers);
    if (words !== undefined) io.out(`! ${words}`);
  } catch (error) {
    // A file of the project that may not decide where the credential goes: a run would stop at it.
    if (!(error instanceof CredentialsError)) throw error;
    const { message, hint } = translateError(t, error);
    io.out(`! ${message}`);
    io.out(`  ${t("error.next", { hint })}`);
  }
}

/**
 * Test and store. What is known not to work is stored only when the person says so.
 * @throws DiskError when the file cannot be written.
 */
export async function applyAnswers(
  context: CommandContext,
  answers: SetupAnswers,
  ways: Ways,
): Promise<SetupResult> {
  const { io, t } = context;
  warn(context, answers);
  let test: CredentialTest | undefined;
  if (ways.isOffline) io.out(`- ${t("setup.untested")}`);
  else {
    io.out(`~ ${t("probe.checking", { baseUrl: answers.baseUrl })}`);
    test = await testCredential(credentialsOf(answers), { io });
    tell(context, test);
    if (isKnownBad(test) && !(await ways.confirm(t("setup.anyway")))) {
      io.err(`x ${t("setup.not_saved")}`);
      return { saved: undefined, test };
    }
  }
  const path = userEnvPath(io.env);
  writeUserEnv(path, changesOf(answers, storedValues(context)));
  const shown = homePath(path, homeFolder(io.env));
  io.out(
    `+ ${t("setup.saved", { path: shown, name: variableOf(answers.choice), masked: maskSecret(answers.secret) })}`,
  );
  if (answers.choice === "local") {
    const own = homePath(userConfigPath(io.env), homeFolder(io.env));
    io.out(`! ${t("setup.local", { path: own, example: LOCAL_EXAMPLE })}`);
  }
  tellShadowing(context, answers);
  return { saved: path, test };
}

/** Ask, test, store, at a terminal. @returns what was stored, and what its test said. */
export async function setUp(
  context: CommandContext & Dialog,
  given: GivenAnswers = {},
  isOffline = false,
): Promise<SetupResult> {
  const { io, t } = context;
  io.out(t("setup.intro"));
  io.out(t("setup.login"));
  const answers = await askAnswers(context, given, storedValues(context));
  if (answers === undefined) {
    io.err(`x ${t("setup.nothing")}`);
    return { saved: undefined, test: undefined };
  }
  return await applyAnswers(context, answers, {
    isOffline,
    confirm: (question) => askYes(context, question),
  });
}
