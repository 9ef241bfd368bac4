// A request made up for tests of the parts that only read requests.

import type { IncomingRequest } from "../../src/testing/api-request.ts";

export interface RequestParts {
  readonly system?: unknown;
  readonly messages?: readonly unknown[];
  readonly tools?: readonly unknown[];
  readonly context_management?: unknown;
  readonly agentId?: string;
}

export function requestOf({ agentId, ...parts }: RequestParts): IncomingRequest {
  const body = {
    model: "claude-opus-5-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "go" }],
    tools: [{ name: "Read" }],
    context_management: { edits: [] },
    ...parts,
  };
  return {
    index: 1,
    at: 0,
    method: "POST",
    path: "/v1/messages?beta=true",
    headers: {},
    body,
    bytes: JSON.stringify(body).length,
    sessionId: "s",
    agentId,
  };
}
