// Whether a request carries the expected credential, and what the API says when it does not.

import { type HttpError, httpError } from "./failure.ts";

/**
 * The 401 a request gets that does not carry `expected`, as `x-api-key` or as a bearer token; undefined when it does.
 */
export function keyFault(
  headers: Readonly<Record<string, string>>,
  expected: string | undefined,
): HttpError | undefined {
  if (expected === undefined) return undefined;
  const key = headers["x-api-key"];
  const bearer = headers.authorization?.replace(/^bearer /i, "");
  if (key === expected || bearer === expected) return undefined;
  if (key !== undefined) return httpError(401, { message: "invalid x-api-key" });
  if (bearer !== undefined) return httpError(401, { message: "Invalid bearer token" });
  return httpError(401, { message: "x-api-key header is required" });
}
