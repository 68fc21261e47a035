import type { ArrivedJoin } from '../../model/join.js';

/**
 * Joins of arriving participants, reported by whoever plays them. Each is asked for once, before or after its report.
 */
export class ReportedJoins {
  /** Called with how late a timer of whoever plays them woke. */
  onAsleep: (ms: number) => void = () => undefined;
  private readonly told = new Map<string, ArrivedJoin>();
  private readonly waiting = new Map<string, (join: ArrivedJoin | undefined) => void>();
  private isOver = false;

  report(join: ArrivedJoin): void {
    const { participant } = join;
    const asked = this.waiting.get(participant);
    this.waiting.delete(participant);
    if (asked) asked(join);
    else this.told.set(participant, join);
  }

  /** Undefined when it will not be reported any more. */
  async of(participant: string): Promise<ArrivedJoin | undefined> {
    const known = this.told.get(participant);
    this.told.delete(participant);
    if (known || this.isOver) return known;
    return new Promise((resolve) => void this.waiting.set(participant, resolve));
  }

  noMore(): void {
    this.isOver = true;
    for (const resolve of this.waiting.values()) resolve(undefined);
  }
}
