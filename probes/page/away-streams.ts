/**
 * The streams of a leg whose source is gone, as the server said. A reading is a second wide: a stream that was away in
 * any part of it is away in that reading.
 */
export class AwayStreams {
  private readonly current = new Set<string>();
  private sinceReading = new Set<string>();

  get now(): ReadonlySet<string> {
    return this.current;
  }

  ended(streams: readonly string[]): void {
    for (const stream of streams) {
      this.current.add(stream);
      this.sinceReading.add(stream);
    }
  }

  cameBack(streams: readonly string[]): void {
    for (const stream of streams) this.current.delete(stream);
  }

  /** Those that were away since this was last asked, which is once in each reading. */
  read(): ReadonlySet<string> {
    const away = this.sinceReading;
    this.sinceReading = new Set(this.current);
    return away;
  }
}
