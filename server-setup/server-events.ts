import type { ServerEvent } from '../model/server-event.js';

/** What a reset found on a media server beside what this run knew of. */
export interface Cleaned {
  /** Released although no session of this run had them. */
  readonly orphans: number;
  /** Left alone, because others made them or may still use them. */
  readonly foreign: number;
}

/** Whoever listens to a media server, and what it says to them. */
export class ServerEvents {
  readonly #listeners: ((event: ServerEvent) => void)[] = [];

  readonly listen = (listener: (event: ServerEvent) => void): void => {
    this.#listeners.push(listener);
  };

  readonly tell = (event: ServerEvent): void => {
    for (const listener of this.#listeners) listener(event);
  };

  tellNow(kind: 'lost' | 'reconnected' | 'sessions-lost', detail: string): void {
    this.tell({ kind, atMs: Date.now(), detail });
  }

  /** What a reset found, where it found anything. */
  tellCleaned({ orphans, foreign }: Cleaned): void {
    const atMs = Date.now();
    if (orphans > 0) this.tell({ kind: 'orphans-released', atMs, sessions: orphans });
    if (foreign > 0) this.tell({ kind: 'foreign-sessions', atMs, sessions: foreign });
  }
}
