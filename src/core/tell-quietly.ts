// Telling a listener: what it throws, now or later, is collected and never ends the work it was told about.

/** Call a listener; its errors, those of an async one included, go to `errors`. */
export function tellQuietly(listener: () => unknown, errors: unknown[]): void {
  try {
    const returned = listener();
    // An async listener fits every listener's type as well; its rejection would end the process.
    if (returned instanceof Promise) returned.catch((error) => errors.push(error));
  } catch (error) {
    errors.push(error);
  }
}
