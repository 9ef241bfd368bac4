// Lines between whoever types them and whoever wants them: heard at once, or kept until somebody asks.

/** Keeps lines, or hands them on. */
export class LineQueue {
  readonly #lines: string[] = [];
  #listener: ((line: string) => void) | undefined;
  #ended = false;
  readonly #atEnd = new Set<() => void>();

  get ended(): boolean {
    return this.#ended;
  }

  /** Lines that came while nobody listened. */
  get waiting(): number {
    return this.#lines.length;
  }

  /** A line came. */
  add(line: string): void {
    if (this.#listener === undefined) this.#lines.push(line);
    else this.#listener(line);
  }

  /** Keep a line, whoever listens. */
  hold(line: string): void {
    this.#lines.push(line);
  }

  shift(): string | undefined {
    return this.#lines.shift();
  }

  listen(listener: ((line: string) => void) | undefined): void {
    this.#listener = listener;
  }

  /** No line can come any more. */
  end(): void {
    this.#ended = true;
    for (const tell of [...this.#atEnd]) tell();
  }

  /** The next line, or undefined when the input ended. */
  async next(): Promise<string | undefined> {
    const line = this.shift();
    if (line !== undefined || this.#ended) return line;
    return await new Promise((resolve) => {
      const before = this.#listener;
      const done = (value: string | undefined) => {
        this.#listener = before;
        this.#atEnd.delete(over);
        resolve(value);
      };
      const over = () => done(undefined);
      this.#listener = done;
      this.#atEnd.add(over);
    });
  }

  /** Resolves at the end, or after `ms`. */
  async settle(ms: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#atEnd.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#atEnd.add(done);
    });
  }
}
