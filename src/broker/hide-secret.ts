// Takes the real credential out of an answer while it passes: some gateways repeat in an error what they were sent.

const STAR = "*".charCodeAt(0);
/** A shorter secret could be a word of the answer. */
const LEAST = 8;

/** Looks through one answer. Its length never changes, so its headers stay right. */
export interface SecretHider {
  /** The part to hand on now: all but an end in which the secret may have begun. */
  feed(chunk: Buffer): Buffer;
  /** What was kept back. */
  end(): Buffer;
}

/** The longest end of `data` that `secret` could go on from. */
function begunAt(data: Buffer, secret: Buffer): number {
  for (let at = Math.max(0, data.length - secret.length + 1); at < data.length; at += 1) {
    const rest = data.length - at;
    if (data[at] === secret[0] && data.compare(secret, 0, rest, at) === 0) return at;
  }
  return data.length;
}

function starred(data: Buffer, secret: Buffer): Buffer {
  let at = data.indexOf(secret);
  if (at === -1) return data;
  const hidden = Buffer.from(data);
  for (; at !== -1; at = data.indexOf(secret, at + secret.length)) hidden.fill(STAR, at, at + secret.length);
  return hidden;
}

/** Puts stars where `secret` stands, also across chunks; undefined for a secret too short to be told from text. */
export function createSecretHider(secret: string): SecretHider | undefined {
  if (secret.length < LEAST) return undefined;
  const wanted = Buffer.from(secret, "latin1");
  let held: Buffer = Buffer.alloc(0);
  return {
    feed(chunk) {
      const data = starred(held.length === 0 ? chunk : Buffer.concat([held, chunk]), wanted);
      const at = begunAt(data, wanted);
      // A copy: the slice would keep the whole chunk it was cut from.
      held = Buffer.from(data.subarray(at));
      return data.subarray(0, at);
    },
    end() {
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    },
  };
}
