import { bounded } from './bounded.js';
import type { Clock } from './parts.js';

interface Undo {
  readonly name: string;
  readonly run: () => Promise<void>;
  done: boolean;
}

/**
 * Undoes what was done, last first, whatever happens. Each undo runs once, is waited for no longer than the bound, and
 * may fail: that is told to `onFailure` in a sentence and stops neither the others nor the error that led here.
 */
export class Scope {
  private readonly undos: Undo[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly boundMs: number,
    private readonly onFailure: (text: string) => void,
  ) {}

  get isEmpty(): boolean {
    return this.undos.every((undo) => undo.done);
  }

  /**
   * Registers an undo before the thing itself is done, so that a half-done thing is undone, too. `name` completes
   * "could not …". Returns the same undo to be run ahead of the end, in a trial's own order.
   */
  defer(name: string, run: () => Promise<void>): () => Promise<void> {
    const undo: Undo = { name, run, done: false };
    this.undos.push(undo);
    return () => this.undo(undo);
  }

  /** Never rejects. Idempotent. */
  async close(): Promise<void> {
    for (const undo of this.undos.toReversed()) await this.undo(undo);
  }

  private async undo(undo: Undo): Promise<void> {
    if (undo.done) return;
    undo.done = true;
    try {
      const result = await bounded(this.clock, this.boundMs, () => undo.run());
      if (!result.inTime) this.onFailure(`Could not ${undo.name} within ${this.boundMs / 1000} s.`);
    } catch (error) {
      this.onFailure(`Could not ${undo.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
