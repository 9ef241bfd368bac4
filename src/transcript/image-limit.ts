// The API's limits for one picture: how large its data and its sides may be. Reads headers only.

import { isRecord } from "../core/json.ts";

/** Base64 characters of one picture. */
const MAX_DATA_CHARS = 5 * 1024 * 1024;
const MAX_SIDE_PX = 8000;
/** Enough for every header read here; a JPEG's size can stand behind a long preview. */
const HEADER_CHARS = 256 * 1024;

function pngSide(bytes: Buffer): number {
  return bytes.length < 24 ? 0 : Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

function gifSide(bytes: Buffer): number {
  return bytes.length < 10 ? 0 : Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
}

/** Frame headers carry the size; every other segment says how long it is. */
function jpegSide(bytes: Buffer): number {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const kind = bytes[at + 1] ?? 0;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
    if (isFrame) return Math.max(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return 0;
}

/** The longer side in pixels; 0 when the format is not known. */
function longerSide(data: string): number {
  const bytes = Buffer.from(data.slice(0, HEADER_CHARS), "base64");
  const start = bytes.toString("latin1", 0, 4);
  if (start === "\x89PNG") return pngSide(bytes);
  if (start === "GIF8") return gifSide(bytes);
  return start.startsWith("\xff\xd8") ? jpegSide(bytes) : 0;
}

/** Why the API would refuse a picture, or undefined for one it takes and for anything that is no picture. */
export function imageFault(block: unknown): string | undefined {
  if (!isRecord(block) || block.type !== "image" || !isRecord(block.source)) return undefined;
  const { data } = block.source;
  if (typeof data !== "string") return undefined;
  if (data.length > MAX_DATA_CHARS) return `it has ${data.length} bytes, the limit is ${MAX_DATA_CHARS}`;
  const side = longerSide(data);
  return side > MAX_SIDE_PX ? `it is ${side} pixels long, the limit is ${MAX_SIDE_PX}` : undefined;
}
