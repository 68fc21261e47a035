import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../model/errors.js';
import type { Cleaned } from './server-events.js';

/** What a server lists at one time. */
interface Listed {
  /** Ours, and orphans of earlier runs. */
  readonly left: readonly Left[];
  /** Sessions of others. */
  readonly foreign: number;
}

interface Left {
  readonly name: string;
  readonly isOrphan: boolean;
  readonly release: () => Promise<unknown>;
}

interface Cleaning {
  readonly look: () => Promise<Listed>;
  readonly withinMs: number;
  /** "Janus", "rooms of ours", "destroyed". */
  readonly words: { readonly server: string; readonly ours: string; readonly released: string };
}

const pollMs = 100;

/**
 * Releases what is left until the server lists nothing of it. Rejects with E_NOT_CLEAN when that takes longer than
 * `withinMs`, and as `look` and `release` do.
 */
export async function cleaned({ look, withinMs, words }: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const endsAtMs = performance.now() + withinMs;
  const released = new Set<string>();
  const orphans = new Set<string>();
  for (;;) {
    const { left, foreign } = await look();
    if (left.length === 0) return { orphans: orphans.size, foreign };
    const names = left.map(({ name }) => name);
    if (performance.now() > endsAtMs) throw notClean(words, withinMs, names);
    // What is released is gone at once, or some time later.
    if (names.some((name) => released.has(name))) await pause(pollMs, undefined, { signal });
    for (const { name, isOrphan } of left) {
      released.add(name);
      if (isOrphan) orphans.add(name);
    }
    await Promise.all(left.map(({ release }) => release()));
  }
}

function notClean({ server, ours, released }: Cleaning['words'], withinMs: number, names: readonly string[]) {
  const some = names.slice(0, 3).join(', ');
  return new LoadlineError('E_NOT_CLEAN', `The ${server} still holds ${names.length} ${ours}.`, {
    why: `${released}, and ${withinMs / 1000} s later still listed: ${some}${names.length > 3 ? ', …' : ''}`,
    todo: `restart the ${server}; a trial on a server that is not clean would measure what was left there`,
  });
}
