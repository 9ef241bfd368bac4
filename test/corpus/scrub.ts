// Makes a recorded transcript the same on every machine: paths, ids and times are numbered through.

import type { SessionStoreEntry } from "../../src/sessions/session-store.ts";
import type { Place } from "./live-session.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const AGENT = /\ba[0-9a-f]{16}\b/g;
const SHORT_ID = /\bb[0-9a-z]{8}\b(?=\.output|\.txt)/g;
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DAY = /\b20\d\d-\d\d-\d\d\b/g;
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Fields that hold a measured number, which says nothing about the shape. */
const MEASURED = /(?:ms|duration|mtime|timestamp|At|Time|mtimeMs|ino|pid)$/i;

/** What the harness says of itself at length is shortened: it says nothing about the shape either. */
const ATTACHED_CHARS = 200;

/** One scrubber a session: the same id gets the same number in all its transcripts. */
export function createScrubber(place: Place): (entries: readonly SessionStoreEntry[]) => unknown[] {
  const names = new Map<string, string>();
  let seconds = 0;
  const numbered = (kind: string, found: string, render: (n: number) => string) => {
    const key = `${kind}:${found}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const count = [...names.keys()].filter((name) => name.startsWith(`${kind}:`)).length + 1;
    names.set(key, render(count));
    return render(count);
  };
  const hex = (n: number, length: number) => n.toString(16).padStart(length, "0");
  const folderKey = (path: string) => path.replace(/[^A-Za-z0-9]/g, "-");
  const scrubText = (value: string): string =>
    value
      .replaceAll(place.workspace, "/home/person/ws")
      .replaceAll(place.home, "/home/person")
      .replaceAll(folderKey(place.workspace), "-home-person-ws")
      .replace(/\/tmp\/claude-\d+/g, "/tmp/claude-1000")
      .replace(/total \d+\ndrwx[^\n]*/g, "total 8\ndrwxr-xr-x 2 person person 4096 Jan  2 03:04 .")
      .replace(UUID, (id) => numbered("uuid", id, (n) => `00000000-0000-4000-8000-${hex(n, 12)}`))
      .replace(AGENT, (id) => numbered("agent", id, (n) => `a${hex(n, 16)}`))
      .replace(SHORT_ID, (id) => numbered("short", id, (n) => `b${hex(n, 8)}`))
      .replace(/toolu_scripted_\d+_/g, "toolu_scripted_1_")
      .replace(/(msg|req)_scripted_\d+_/g, "$1_scripted_1_")
      .replace(TIME, () => {
        seconds += 1;
        return new Date(START + seconds * 1000).toISOString();
      })
      .replace(DAY, (day) => (day.startsWith("2026-01-0") ? day : "2026-01-02"))
      .replace(/Linux \d[\w.-]*/g, "Linux 6.1.0")
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080");
  let limit = Number.POSITIVE_INFINITY;
  const scrub = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return scrubText(value).slice(0, limit);
    if (typeof value === "number") return MEASURED.test(key) && value !== 0 ? 7 : value;
    if (Array.isArray(value)) return value.map((item) => scrub(item, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [scrubText(name), scrub(item, name)]),
    );
  };
  return (entries) =>
    entries.map((entry) => {
      limit = entry.type === "attachment" ? ATTACHED_CHARS : Number.POSITIVE_INFINITY;
      return scrub(entry, "");
    });
}
