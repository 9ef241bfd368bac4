// One row of the table of options: an options object of the public list, what it is when nothing is given, and what the
// Python original took for the same.

/** Keys of `T` that may be left out. */
type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

/** A row, whatever its options are. */
export interface Row {
  /** Name of the type, or where an object without a name is taken. */
  readonly type: string;
  /** The options that cannot be left out. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What each of the others is when it is left out; undefined: nothing. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The original's defaults, under the names of today; `None` is undefined. */
  readonly original: Readonly<Record<string, unknown>>;
  /** Why a default is not the original's. */
  readonly differs: Readonly<Record<string, string>>;
  /** Call it. */
  readonly make: (options: object) => unknown;
  /** Call it, and say what each option became. */
  readonly seen: (options: object) => Promise<Readonly<Record<string, unknown>>>;
}

type Seen<T> = Readonly<Record<OptionalKeys<T>, unknown>>;

interface RowOf<T extends object, M> {
  readonly make: (options: T) => M;
  readonly given: Omit<T, OptionalKeys<T>>;
  /** What became of the options that may be left out; the compiler wants every one of them. */
  readonly see: (made: Awaited<M>) => Seen<T> | Promise<Seen<T>>;
  readonly defaults: Readonly<Record<OptionalKeys<T>, unknown>>;
  readonly original?: Partial<Readonly<Record<OptionalKeys<T>, unknown>>>;
  readonly differs?: Partial<Readonly<Record<OptionalKeys<T>, string>>>;
}

/** A row; the compiler demands a default for every option that may be left out, and for no other. */
export function row<T extends object, M>(type: string, of: RowOf<T, M>): Row {
  return {
    type,
    given: of.given,
    defaults: of.defaults,
    original: of.original ?? {},
    differs: { ...of.differs } as Record<string, string>,
    make: (options) => of.make(options as T),
    seen: async (options) => ({ ...(await of.see(await of.make(options as T))) }),
  };
}

/** For options that leave no trace on what is made: nothing happens when they are left out. */
export function nothing<K extends string>(...keys: readonly K[]): Readonly<Record<K, undefined>> {
  return Object.fromEntries(keys.map((key) => [key, undefined])) as Record<K, undefined>;
}

/** Options with values in the place of those that were left out; what is no options object passes as it is. */
export function filled<T extends object>(options: T, values: Partial<T>): T {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return options;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...options, ...values, ...Object.fromEntries(given) };
}
