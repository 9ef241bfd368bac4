// When a usage limit ends, as far as its words say so. Pure.

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_S = 86_400;

/** `Nov 30 at 3:15pm (UTC)`, each part but the hour optional. */
const CLOCK =
  /resets?(?:\s+(?:at|on))?\s+(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(?:at\s+)?)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?(?:\s*\(([^)]+)\))?/i;
/** `usage limit reached|1753560000` */
const EPOCH = /\|\s*(\d{10})\b/;
/** `resets in 2h 15m` */
const SPAN = /resets?\s+in\s+(?:(\d+)\s*d\w*)?\s*(?:(\d+)\s*h\w*)?\s*(?:(\d+)\s*m\w*)?/i;

interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Seconds a zone is ahead of UTC at that moment; zero for a zone nobody knows. */
function offsetS(zone: string, epochS: number): number {
  try {
    const parts = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    }).formatToParts(new Date(epochS * 1000));
    const part = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0);
    const local = Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
    return local / 1000 - Math.floor(epochS);
  } catch {
    return 0;
  }
}

function toEpoch(clock: WallClock, zone: string, nearS: number): number {
  const utc = Date.UTC(clock.year, clock.month, clock.day, clock.hour, clock.minute) / 1000;
  return utc - offsetS(zone, nearS);
}

function fromClock(match: RegExpExecArray, nowS: number): number | undefined {
  const [, monthName, dayText, hourText, minuteText, half, zone = "UTC"] = match;
  const rawHour = Number(hourText);
  if (rawHour > 23 || (half !== undefined && rawHour > 12)) return undefined;
  const hour = half === undefined ? rawHour : (rawHour % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const local = new Date((nowS + offsetS(zone, nowS)) * 1000);
  const month = monthName === undefined ? local.getUTCMonth() : MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return undefined;
  const clock = {
    year: local.getUTCFullYear(),
    month,
    day: dayText === undefined ? local.getUTCDate() : Number(dayText),
    hour,
    minute: Number(minuteText ?? 0),
  };
  const at = toEpoch(clock, zone, nowS);
  if (at > nowS) return at;
  // An hour that has passed today is meant for tomorrow, a date that has passed for next year.
  return monthName === undefined ? at + DAY_S : toEpoch({ ...clock, year: clock.year + 1 }, zone, nowS);
}

function fromSpan(match: RegExpExecArray, nowS: number): number | undefined {
  const [, days = "0", hours = "0", minutes = "0"] = match;
  const seconds = Number(days) * DAY_S + Number(hours) * 3600 + Number(minutes) * 60;
  return seconds === 0 ? undefined : nowS + seconds;
}

/** Epoch seconds at which the limit that a text speaks of ends; undefined when it does not say. */
export function parseResetAt(text: string, nowS: number): number | undefined {
  const epoch = EPOCH.exec(text);
  if (epoch !== null) return Number(epoch[1]);
  const span = SPAN.exec(text);
  const after = span === null ? undefined : fromSpan(span, nowS);
  if (after !== undefined) return after;
  const clock = CLOCK.exec(text);
  return clock === null ? undefined : fromClock(clock, nowS);
}
