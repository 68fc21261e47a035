import { cleaned } from '../cleanliness.js';
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
  readonly withinMs: number;
}

const words = { server: 'media server', ours: 'of our pipelines', released: 'released' };

/** Releases every pipeline that is ours or an orphan of an earlier run. Rejects as `cleaned` does. */
export function clean(cleaning: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const { calls, ours, withinMs } = cleaning;
  /** Of those that are not known to be ours: each is asked for its tag once. */
  const orphans = new Map<string, boolean>();
  const look = async () => {
    const listed = await pipelinesOf(calls, signal);
    for (const id of listed) if (!ours.has(id) && !orphans.has(id)) orphans.set(id, await isOrphan(cleaning, id));
    const left = listed.filter((id) => orphans.get(id) !== false);
    return {
      left: left.map((id) => ({
        name: id,
        isOrphan: orphans.has(id),
        release: () => calls.release(id).catch(() => undefined),
      })),
      foreign: listed.length - left.length,
    };
  };
  return cleaned({ look, withinMs, words }, signal);
}

/** What its tag says. */
async function isOrphan({ calls, self, ownServer }: Cleaning, pipeline: string): Promise<boolean> {
  if (ownServer) return true;
  const tag = await readTag(calls, pipeline);
  return isOrphaned(tag === undefined ? undefined : ownerOf(tag), self);
}
