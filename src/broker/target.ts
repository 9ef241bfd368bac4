// Where requests may go: the upstream's base and what a client may append to it. Pure.

import { OptionError } from "../core/errors.ts";

/** A checked base: origin, host and path prefix. */
export interface UpstreamBase {
  /** `https://host[:port]`. */
  readonly origin: string;
  /** Value of the `Host` header. */
  readonly host: string;
  /** Empty, or `/…` without a slash at its end. */
  readonly prefix: string;
}

function badUpstream(what: string): OptionError {
  return new OptionError(`the API's base URL ${what}`, {
    code: "bad_upstream",
    hint: "give it as https://host or https://host/prefix",
  });
}

function toUrl(upstream: URL | string): URL {
  try {
    return new URL(upstream);
  } catch {
    // The text is not repeated: it may hold a password.
    throw badUpstream("is not a URL");
  }
}

/**
 * Read a base URL, with or without a slash at its end, with or without a path.
 * @throws OptionError `bad_upstream` when it is no http(s) URL, or holds a user, a query or a fragment,
 * which could not be carried along.
 */
export function parseUpstream(upstream: URL | string): UpstreamBase {
  const url = toUrl(upstream);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw badUpstream("is not http or https");
  if (url.username !== "" || url.password !== "") throw badUpstream("must not hold a user or password");
  if (url.search !== "" || url.hash !== "") throw badUpstream("must not hold a query or fragment");
  return { origin: url.origin, host: url.host, prefix: url.pathname.replace(/\/+$/, "") };
}

/** What became of a request target. */
export type Target =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "refused"; readonly why: string };

/** Escapes that a server behind the upstream might undo once more than it checks. */
function unescapeSeparators(path: string): string {
  return path
    .replace(/%(?:25)*2e/gi, ".")
    .replace(/%(?:25)*2f/gi, "/")
    .replace(/%(?:25)*5c/gi, "\\");
}

function refusal(target: string): string | undefined {
  if (!target.startsWith("/")) return "only a path may be asked for";
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(target) || target.includes("#"))
    return "the path holds a forbidden character";
  const path = unescapeSeparators(target.split("?", 1)[0] ?? "");
  if (path.startsWith("//")) return "the path must not name a host";
  if (path.includes("\\")) return "the path holds a backslash";
  // `..;x` is a step up for servers that strip path parameters after routing.
  if (path.split("/").some((part) => /^\.\.?(;|$)/.test(part))) return "the path steps outside the base";
  return undefined;
}

/**
 * The path and query to ask the upstream for; refused when it could leave the base.
 * A base that ends in `/v1` takes `/v1/…` without doubling it: people give either form.
 */
export function joinTarget(base: UpstreamBase, target: string): Target {
  const why = refusal(target);
  if (why !== undefined) return { kind: "refused", why };
  const doubled = base.prefix.endsWith("/v1") && target.startsWith("/v1/");
  const prefix = doubled ? base.prefix.slice(0, -"/v1".length) : base.prefix;
  return { kind: "path", path: `${prefix}${target}` };
}
