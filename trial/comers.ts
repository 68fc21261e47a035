import type { ArrivedJoin } from '../model/join.js';
import type { Party } from './who-comes.js';

/** What is told of those who come, while they do. */
export class Comers {
  readonly joins: ArrivedJoin[] = [];
  /** When each whose media is measured was up. */
  readonly upMs = new Map<string, number>();
  private failed = 0;

  constructor(private readonly partyOf: ReadonlyMap<string, Party>) {}

  joined(join: ArrivedJoin): void {
    this.joins.push(join);
    if (join.failure) this.failed += 1;
  }

  /** Whether it is one of them. */
  isUp(probe: string, atMs: number): boolean {
    const comes = this.partyOf.has(probe);
    if (comes) this.upMs.set(probe, atMs);
    return comes;
  }

  counts(): { readonly up: number; readonly failed: number } {
    return { up: this.joins.length - this.failed, failed: this.failed };
  }
}
