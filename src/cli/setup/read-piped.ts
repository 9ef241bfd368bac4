// The answers without a terminal: options say what is no secret, the lines of standard input the rest. Pure.

import { OFFICIAL_BASE_URL } from "../../config/base-url.ts";
import {
  type Choice,
  correctedChoice,
  offeredAddress,
  offeredModel,
  ownSecret,
  type SetupAnswers,
  type Stored,
} from "./answers.ts";
import { addressShape, kindOfSecret, modelShape, type Shape, secretShape } from "./shapes.ts";

/** What the command line says. */
export interface GivenAnswers {
  readonly choice?: Choice | undefined;
  readonly url?: string | undefined;
  readonly model?: string | undefined;
}

/** The answers, or the name of the message that says what is wrong with them. */
export type PipedAnswers =
  | { readonly kind: "answers"; readonly answers: SetupAnswers }
  | {
      readonly kind: "wrong";
      readonly what: "secret" | "address" | "model" | "kind";
      readonly key: Extract<Shape, { kind: "bad" }>["key"] | "setup.kind_needed";
    };

/** Whether something has to come from standard input. */
export function needsInput({ choice }: GivenAnswers): boolean {
  return choice === undefined || ownSecret(choice) === undefined;
}

function choiceOf(given: GivenAnswers, secret: string, url: string | undefined): Choice | undefined {
  if (given.choice !== undefined) return correctedChoice(given.choice, secret);
  const isElsewhere = url !== undefined && url !== "" && url !== OFFICIAL_BASE_URL;
  return kindOfSecret(secret) ?? (isElsewhere ? "auth_token" : undefined);
}

/**
 * Read the answers: the key or token, the address, the model, one a line, without those that the command line gives;
 * missing lines at the end leave what is stored, else the usual.
 */
export function readPiped(text: string, given: GivenAnswers, stored: Stored): PipedAnswers {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const secret = secretShape((given.choice && ownSecret(given.choice)) ?? lines.shift() ?? "");
  if (secret.kind === "bad") return { kind: "wrong", what: "secret", key: secret.key };
  const url = given.url ?? lines.shift()?.trim();
  const choice = choiceOf(given, secret.value, url);
  if (choice === undefined) return { kind: "wrong", what: "kind", key: "setup.kind_needed" };
  const address = addressShape(url || (offeredAddress(choice, stored) ?? ""));
  if (address.kind === "bad") return { kind: "wrong", what: "address", key: address.key };
  const name = given.model ?? (lines.shift()?.trim() || offeredModel(choice, stored));
  const model = name === "" && choice !== "local" ? undefined : modelShape(name);
  if (model?.kind === "bad") return { kind: "wrong", what: "model", key: model.key };
  const answers = { choice, secret: secret.value, baseUrl: address.value, model: model?.value ?? "" };
  return { kind: "answers", answers };
}
