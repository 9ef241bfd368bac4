// The way out of a run: credentials resolved once, the broker in front of them, and what a child process may see.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Exchange } from "../broker/exchange.ts";
import { type Broker, startBroker } from "../broker/start-broker.ts";
import { childEnvironment, credentialVariables, withoutCredentials } from "../config/child-environment.ts";
import type { Credentials, DirectCredentials } from "../config/credentials.ts";
import { reasonOf, wordsOf } from "../config/locale/words.ts";
import { CLOUD_FLAGS, type Environment, givenValue } from "../config/variables.ts";
import type { Words } from "../core/words.ts";

/** What a Runtime needs to start processes of the harness. */
export interface Door {
  /** Complete base environment of a child; holds no real credential unless a warning says so. */
  readonly env: Readonly<Record<string, string>>;
  /** The way to the API: applied after everything else, so that no option can lead a child round the door. */
  readonly access: Readonly<Record<string, string>>;
  /** Values that must never be seen in a tool's output. */
  readonly secrets: readonly string[];
  /** What a person should know: a credential that goes to the harness as it is. */
  readonly warnings: readonly Words[];
  /** What the upstream failed with last, in one line. */
  readonly upstreamFault: () => string | undefined;
  /** Seconds the upstream asked to wait in its last answer, 0 when it did not. */
  readonly retryAfterS: () => number;
  /** Whether the upstream refused that session's last request with a 400 and said that asking again is no use. */
  readonly isRefused: (sessionId: string) => boolean;
  /** Base URL of the upstream; undefined for a cloud, which is reached its own way. */
  readonly upstream: string | undefined;
  readonly close: () => Promise<void>;
}

/** What the door is made from. */
export interface DoorInput {
  readonly credentials: Credentials;
  readonly processEnv: Environment;
  /** Runtime.env: extra variables of the child; credentials in it were resolved already and are left out. */
  readonly extraEnv: Environment;
  readonly runDir: string;
  /** Folder for the temporary files of the harness and its tools. */
  readonly temporary: string;
}

/** What a child starts from, and what there was to say about it. */
interface Base {
  readonly env: Record<string, string>;
  readonly warnings: readonly Words[];
}

/** The harness refuses a temporary folder that others could look into. */
function temporaryFolder(path: string): Base {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return { env: { CLAUDE_CODE_TMPDIR: path }, warnings: [] };
  } catch (error) {
    const warning = wordsOf("notice.system_temporary", { reason: reasonOf(error) });
    return { env: {}, warnings: [warning] };
  }
}

/** The harness's own files stay with the run: nothing of a person's ~/.claude is read, nothing is left in /tmp. */
function baseOf(input: DoorInput): Base {
  const temporary = temporaryFolder(input.temporary);
  const env = {
    ...childEnvironment({ processEnv: input.processEnv, credentials: input.credentials }),
    CLAUDE_CONFIG_DIR: join(input.runDir, "harness"),
    ...temporary.env,
    ...withoutCredentials(input.extraEnv),
  };
  return { env, warnings: temporary.warnings };
}

interface BrokerParts {
  readonly broker: Broker;
  readonly lastExchange: () => Exchange | undefined;
  readonly isRefused: (sessionId: string) => boolean;
}

/** What of a credential must be in nobody's sight. */
export function credentialSecrets(credentials: Credentials): readonly string[] {
  if (credentials.kind !== "cloud") return [credentials.value];
  const secretNames = /KEY|TOKEN|SECRET|PASSWORD/;
  return Object.entries(credentials.variables)
    .filter(([name]) => secretNames.test(name))
    .map(([, value]) => value);
}

function closedDoor(input: DoorInput, variables: Record<string, string>, warning: Words): Door {
  const { credentials } = input;
  const base = baseOf(input);
  return {
    env: base.env,
    access: variables,
    secrets: credentialSecrets(credentials),
    warnings: [warning, ...base.warnings],
    upstreamFault: () => undefined,
    retryAfterS: () => 0,
    isRefused: () => false,
    upstream: credentials.kind === "cloud" ? undefined : credentials.baseUrl,
    close: async () => {},
  };
}

function brokerDoor(input: DoorInput, credentials: DirectCredentials, parts: BrokerParts): Door {
  const { broker, lastExchange, isRefused } = parts;
  const secret = credentials.value;
  const base = baseOf(input);
  return {
    env: base.env,
    access: broker.childVariables(),
    secrets: [secret, broker.token],
    warnings: base.warnings,
    upstreamFault: () => {
      const fault = broker.lastUpstreamFault();
      return fault === undefined ? undefined : `${fault.code}: ${fault.text}`;
    },
    retryAfterS: () => lastExchange()?.retryAfterS ?? 0,
    isRefused,
    upstream: credentials.baseUrl,
    close: () => broker.close(),
  };
}

/** Open the door of a run: a broker, or straight through for a cloud and for `FLOWER_DIRECT=1`. */
export async function openDoor(input: DoorInput): Promise<Door> {
  const { credentials } = input;
  if (credentials.kind === "cloud") {
    const warning = wordsOf("notice.cloud_credentials", { provider: credentials.provider });
    const variables = { ...credentials.variables, [CLOUD_FLAGS[credentials.provider]]: "1" };
    return closedDoor(input, variables, warning);
  }
  if (givenValue(input.processEnv, "FLOWER_DIRECT") === "1") {
    const variables = credentialVariables(credentials.kind, credentials.value, credentials.baseUrl);
    return closedDoor(input, variables, wordsOf("notice.direct"));
  }
  let last: Exchange | undefined;
  const refused = new Set<string>();
  const broker = await startBroker({
    upstream: credentials.baseUrl,
    credential: { kind: credentials.kind, value: credentials.value },
    proxyEnv: { ...input.processEnv, ...input.extraEnv },
    onExchange: (exchange) => {
      last = exchange;
      const { sessionId, status, final } = exchange;
      if (sessionId === undefined) return;
      if (status === 400 && final === true) refused.add(sessionId);
      else refused.delete(sessionId);
    },
  });
  return brokerDoor(input, credentials, {
    broker,
    lastExchange: () => last,
    isRefused: (sessionId) => refused.has(sessionId),
  });
}
