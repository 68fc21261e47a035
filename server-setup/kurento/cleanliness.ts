import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../../model/errors.js';
import type { Cleaned } from '../server-events.js';
import { isOrphaned, type Owner, ownerOf } from '../session-owner.js';
import type { KurentoCalls } from './kurento-calls.js';
import { pipelinesOf, readTag } from './orphans.js';

interface Cleaning {
  readonly calls: KurentoCalls;
  readonly self: Owner;
  /** True for a server that nobody else uses: whatever is found is an orphan. */
  readonly ownServer: boolean;
  /** Ids of pipelines that this run has made and not yet seen to be gone. */
  readonly ours: ReadonlySet<string>;
  readonly isRunning: (pid: number) => boolean;
  readonly withinMs: number;
}

const pollMs = 100;

/**
 * Releases every pipeline that is ours or an orphan of an earlier run, until the server lists none but those of others.
 * Rejects with E_NOT_CLEAN when that takes longer than `withinMs`, and with the errors of calls.
 */
export async function clean(cleaning: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const endsAtMs = performance.now() + cleaning.withinMs;
  const orphans = new Set<string>();
  const foreign = new Set<string>();
  for (;;) {
    const listed = await pipelinesOf(cleaning.calls, signal);
    const unknown = listed.filter((id) => !cleaning.ours.has(id) && !orphans.has(id) && !foreign.has(id));
    for (const id of unknown) ((await isOrphan(cleaning, id)) ? orphans : foreign).add(id);
    const left = listed.filter((id) => !foreign.has(id));
    if (left.length === 0) {
      return { orphans: orphans.size, foreign: listed.length };
    }
    if (performance.now() > endsAtMs) throw notClean(cleaning.withinMs, left);
    await Promise.allSettled(left.map((id) => cleaning.calls.release(id)));
    if ((await pipelinesOf(cleaning.calls, signal)).some((id) => left.includes(id)))
      await pause(pollMs, undefined, { signal });
  }
}

/** What its tag says. */
async function isOrphan({ calls, self, ownServer, isRunning }: Cleaning, pipeline: string): Promise<boolean> {
  if (ownServer) return true;
  const tag = await readTag(calls, pipeline);
  return isOrphaned(tag === undefined ? undefined : ownerOf(tag), self, isRunning);
}

function notClean(withinMs: number, left: readonly string[]): LoadlineError {
  const some = left.slice(0, 3).join(', ');
  return new LoadlineError('E_NOT_CLEAN', `The media server still holds ${left.length} of our pipelines.`, {
    why: `released, and ${withinMs / 1000} s later still listed: ${some}${left.length > 3 ? ', …' : ''}`,
    todo: 'restart the media server; a trial on a server that is not clean would measure what was left there',
  });
}
