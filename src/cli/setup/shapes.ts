// What can be a credential, an address and a model, before anything is tried or stored. Pure.

import { isLoopback } from "../../broker/proxy-route.ts";
import { type BaseUrlFault, baseUrlFault, withoutPath } from "../../config/base-url.ts";
import type { DirectKind } from "../../config/variables.ts";
import { checkValue } from "../args/check-values.ts";
import { MODEL_FLAG } from "../args/flags.ts";

/** A text that can be what was asked for, or the name of the message that says why not. */
export type Shape =
  | { readonly kind: "good"; readonly value: string }
  | { readonly kind: "bad"; readonly key: BadKey };

type BadKey =
  | "setup.bad.empty"
  | "setup.bad.assignment"
  | "setup.bad.characters"
  | "setup.bad.secret_is_address"
  | "setup.bad.model"
  | `setup.bad.address.${BaseUrlFault}`;

function bad(key: BadKey): Shape {
  return { kind: "bad", key };
}

/** A key or token as pasted; quotes round it are no part of it. */
export function secretShape(text: string): Shape {
  const secret = text.trim().replace(/^(["'])(.*)\1$/s, "$2");
  if (secret === "") return bad("setup.bad.empty");
  if (/^(?:export\s+)?[A-Z][A-Z0-9_]*=/.test(secret)) return bad("setup.bad.assignment");
  if (/[^\x21-\x7e]/.test(secret)) return bad("setup.bad.characters");
  if (/^https?:\/\//i.test(secret)) return bad("setup.bad.secret_is_address");
  return { kind: "good", value: secret };
}

/** An address as pasted; the path of a request is no part of it. */
export function addressShape(text: string): Shape {
  const address = withoutPath(text.trim());
  if (address === "") return bad("setup.bad.empty");
  const fault = baseUrlFault(address);
  return fault === undefined ? { kind: "good", value: address } : bad(`setup.bad.address.${fault}`);
}

/** A model's name. */
export function modelShape(text: string): Shape {
  const model = text.trim();
  if (model === "") return bad("setup.bad.empty");
  return checkValue(MODEL_FLAG, model).kind === "value"
    ? { kind: "good", value: model }
    : bad("setup.bad.model");
}

/** What a secret is by its beginning; undefined for one that is not Anthropic's own. */
export function kindOfSecret(secret: string): DirectKind | undefined {
  if (secret.startsWith("sk-ant-oat")) return "oauth_token";
  return secret.startsWith("sk-ant-") ? "api_key" : undefined;
}

/** True where what is sent can be read on the way: neither encrypted nor on this machine. */
export function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}
