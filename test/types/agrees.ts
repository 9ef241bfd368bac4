// How the files beside this one hold a type of the package against what is written there. They are compiled and never
// run: here against the sources' own declarations, and by `npm run pack:check` as a user of the package compiles them.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

type Unlike<A, B> = Exclude<A, B> | Exclude<B, A>;

/** Keys whose values are of another type. */
type OtherValues<A, B> = {
  [K in keyof A & keyof B]-?: Same<Exclude<A[K], undefined>, Exclude<B[K], undefined>> extends true
    ? never
    : K;
}[keyof A & keyof B];

/** Keys that may be left out and cannot be `undefined`, where the compiler tells one from the other. */
type WithoutUndefined<T> = {
  [K in OptionalKeys<T>]-?: { [P in K]: undefined } extends Pick<T, K> ? never : K;
}[OptionalKeys<T>];

/** The keys in which the two differ. */
type Difference<Actual, Written> =
  | Unlike<keyof Actual, keyof Written>
  | Unlike<OptionalKeys<Actual>, OptionalKeys<Written>>
  | OtherValues<Actual, Written>
  | WithoutUndefined<Actual>;

/**
 * True when both have the same keys, the same of them may be left out or be `undefined`, and each takes the same type;
 * else the keys that differ.
 */
export type Agrees<Actual, Written> = [Difference<Actual, Written>] extends [never]
  ? true
  : Difference<Actual, Written>;

/** Compiles only for `true`: what differs stands in the error. */
export declare function agrees<_T extends true>(): void;
