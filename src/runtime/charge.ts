// What one result costs. Pure.

/**
 * The amount a result adds to the books.
 *
 * The harness's total is cumulative per session and restored on resume, so the difference to what is booked is owed,
 * a turn that was killed before it was booked included. A total below what is booked means it was not restored (its
 * last entry was lost in a kill): then only the increment since the last result is owed.
 */
export function chargeFor(totalUsd: number, bookedUsd: number, incrementUsd: number): number {
  // Sums of floating cents: a difference below a millionth of a dollar is rounding, not a lost total.
  if (totalUsd + 1e-6 >= bookedUsd) return Math.max(0, totalUsd - bookedUsd);
  return Math.max(0, incrementUsd);
}
