// Raw headers as pairs, in the order, case and number they came in; which of them belong to one hop only.

/** One header as it came: name in its own case, value in latin1. */
export type HeaderPair = readonly [name: string, value: string];

// `expect` is here because node has already answered it: the wait it asks for ends at this hop.
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

// Framing and routing may not be switched off by naming them in `Connection`.
const NEVER_NOMINATED: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "x-api-key",
  "authorization",
]);

/** Pairs of a flat `[name, value, name, value]` list, as node and undici hand raw headers out. */
export function toPairs(flat: readonly (string | Buffer)[]): readonly HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([latin1(flat[i]), latin1(flat[i + 1])]);
  return pairs;
}

function latin1(part: string | Buffer | undefined): string {
  return typeof part === "string" ? part : (part?.toString("latin1") ?? "");
}

function nominated(headers: readonly HeaderPair[]): ReadonlySet<string> {
  const names = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(","))
    .map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !NEVER_NOMINATED.has(name)));
}

/** The headers that are meant for the far end: without hop-by-hop ones and those `Connection` names. */
export function endToEnd(headers: readonly HeaderPair[]): readonly HeaderPair[] {
  const named = nominated(headers);
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !lower.startsWith("proxy-") && !named.has(lower);
  });
}

/** End-to-end headers of a request, its `Host` replaced where it stood. */
export function requestHeaders(headers: readonly HeaderPair[], host: string): readonly HeaderPair[] {
  const others = endToEnd(headers).filter(([name]) => name.toLowerCase() !== "host");
  return [["Host", host], ...others];
}
