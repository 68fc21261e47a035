/** Where the drops of sockets are read from, which tests play. */
interface SocketSource {
  /** `/proc/PID/net/udp` and `udp6`: all sockets of a network namespace. `undefined` where they cannot be read. */
  table(): Promise<string | undefined>;
  /** The inodes of the sockets that these processes hold; `undefined` where that may not be read. */
  inodesOf(pids: readonly number[]): Promise<ReadonlySet<string> | undefined>;
  nowMs(): number;
}

/** Share of time for looking through descriptors at most: watching must not load a full server. */
const lookingShare = 0.1;

/**
 * Datagrams that full receive buffers cost the processes of a server. Whose a socket is, only the descriptors of the
 * processes tell, tens of thousands of a full server: they are looked through when the table has a socket that was not
 * seen before. Until then its drops are not counted, and afterwards all of them at once, so that none is lost.
 */
export class SocketDrops {
  #own: ReadonlySet<string> = new Set();
  #others: ReadonlySet<string> = new Set();
  #last: ReadonlyMap<string, number> | undefined;
  #lookAgainAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly source: SocketSource) {}

  /** Since the last call; `undefined` in the first one, and where it cannot be read. */
  async since(pids: readonly number[]): Promise<number | undefined> {
    const table = await this.source.table();
    const all = table === undefined ? undefined : parseDrops(table);
    if (!all || !(await this.#knowsAll(all, pids))) return undefined;
    const last = this.#last;
    const now = new Map([...all].filter(([inode]) => this.#own.has(inode)));
    this.#last = now;
    if (!last) return undefined;
    let drops = 0;
    for (const [inode, count] of now) drops += Math.max(0, count - (last.get(inode) ?? 0));
    return drops;
  }

  /** False where descriptors may not be read. */
  async #knowsAll(all: ReadonlyMap<string, number>, pids: readonly number[]): Promise<boolean> {
    const isThere = (inode: string) => all.has(inode);
    // The number of a socket that is gone may be given to another.
    this.#own = new Set([...this.#own].filter(isThere));
    this.#others = new Set([...this.#others].filter(isThere));
    const beganMs = this.source.nowMs();
    const areKnown = this.#own.size + this.#others.size === all.size;
    if (areKnown || beganMs < this.#lookAgainAtMs) return true;
    const held = await this.source.inodesOf(pids);
    if (!held) return false;
    const endedMs = this.source.nowMs();
    this.#lookAgainAtMs = endedMs + (endedMs - beganMs) * (1 / lookingShare - 1);
    this.#own = new Set([...all.keys()].filter((inode) => held.has(inode)));
    this.#others = new Set([...all.keys()].filter((inode) => !held.has(inode)));
    return true;
  }
}

/** By inode; of each row the last column is the drops, the fourth from the end the inode (/proc/net/udp). */
export function parseDrops(table: string, inodes?: ReadonlySet<string>): ReadonlyMap<string, number> {
  const drops = new Map<string, number>();
  for (const line of table.split('\n')) {
    const row = line.trimEnd();
    const [dropsAt, pointerAt, refAt, inodeAt] = lastColumns(row);
    const count = Number(row.slice(dropsAt));
    const inode = row.slice(inodeAt, refAt).trim();
    if (pointerAt > 0 && inode !== '' && Number.isFinite(count) && (inodes?.has(inode) ?? true))
      drops.set(inode, count);
  }
  return drops;
}

/** Where the last four columns begin: splitting whole rows of tens of thousands of sockets would take long. */
function lastColumns(row: string): readonly [number, number, number, number] {
  const fourth = row.lastIndexOf(' ');
  const third = row.lastIndexOf(' ', fourth - 1);
  const second = row.lastIndexOf(' ', third - 1);
  const first = row.lastIndexOf(' ', second - 1);
  return [fourth + 1, third + 1, second + 1, first + 1];
}
