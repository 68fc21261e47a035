import { readdir } from 'node:fs/promises';
import { readText } from '../../host/read-text.js';
import type { ThreadReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';

/** To read more of them each second would cost the host more than it tells. */
const threadsMax = 256;
/** Readings come once a second; where one comes sooner, nothing is read. */
const leastMs = 500;

interface ThreadTimes {
  readonly pid: number;
  readonly runNs: number;
  readonly waitedNs: number;
}

/** The thread of some processes with most CPU since the last reading, and its wait to run (proc(5): schedstat). */
export class FullestThread {
  #last: { readonly atMs: number; readonly threads: ReadonlyMap<number, ThreadTimes> } | undefined;

  /** Undefined in the first reading, and where threads cannot be read or are too many. */
  async read(pids: readonly number[]): Promise<ThreadReading | undefined> {
    const last = this.#last;
    if (last && performance.now() - last.atMs < leastMs) return undefined;
    const threads = await readThreads(pids);
    const now = threads && { atMs: performance.now(), threads };
    this.#last = now;
    if (!now || !last || now.atMs <= last.atMs) return undefined;
    const ms = now.atMs - last.atMs;
    const used = [...now.threads].flatMap(([id, { pid, runNs, waitedNs }]) => {
      const before = last.threads.get(id);
      const [ranMs, waitedMs] = before ? [(runNs - before.runNs) / 1e6, (waitedNs - before.waitedNs) / 1e6] : [-1, -1];
      return ranMs < 0 || waitedMs < 0 ? [] : { id, pid, cores: ranMs / ms, waitedShare: waitedMs / ms };
    });
    const [fullest] = used.sort((a, b) => b.cores - a.cores);
    if (!fullest) return undefined;
    const { id, pid, cores, waitedShare } = fullest;
    const name = (await readText(`/proc/${pid}/task/${id}/comm`)).trim();
    return given({ id, name: name || undefined, cores, waitedShare });
  }
}

async function readThreads(pids: readonly number[]): Promise<ReadonlyMap<number, ThreadTimes> | undefined> {
  const tasks = await Promise.all(
    pids.map(async (pid) =>
      (await readdir(`/proc/${pid}/task`).catch(() => [])).map((id) => ({ pid, id: Number(id) })),
    ),
  );
  const all = tasks.flat();
  if (all.length === 0 || all.length > threadsMax) return undefined;
  const read = await Promise.all(
    all.map(async ({ pid, id }) => {
      const [runNs = Number.NaN, waitedNs = Number.NaN] = (await readText(`/proc/${pid}/task/${id}/schedstat`))
        .split(' ')
        .map(Number);
      return Number.isFinite(runNs) && Number.isFinite(waitedNs) ? [[id, { pid, runNs, waitedNs }] as const] : [];
    }),
  );
  return new Map(read.flat());
}
