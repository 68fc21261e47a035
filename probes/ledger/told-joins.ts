import type { ArrivedJoin } from '../../model/join.js';

/** What whoever plays them tells of those who come by arrivals, before or after somebody asks, who asks once of each and then has it. */
export class ToldJoins {
  /** Called with how late a timer of whoever plays them woke. */
  onAsleep: (ms: number) => void = () => undefined;
  private readonly told = new Map<string, ArrivedJoin>();
  private readonly waiting = new Map<string, (join: ArrivedJoin | undefined) => void>();
  private isOver = false;

  came(join: ArrivedJoin): void {
    const { participant } = join;
    const asked = this.waiting.get(participant);
    this.waiting.delete(participant);
    if (asked) asked(join);
    else this.told.set(participant, join);
  }

  /** Undefined when nothing of it will be told any more. */
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
