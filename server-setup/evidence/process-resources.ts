import { readdir, readlink } from 'node:fs/promises';
import { ControlGroups } from '../../host/control-groups.js';
import { type QuotaCounts, readQuotasApart, tightestQuota, worstQuotaBetween } from '../../host/cpu-quota.js';
import { memoryLimitMb } from '../../host/memory-limit.js';
import { readPssKb } from '../../host/process-memory.js';
import { type ProcessStat, processIds, readProcesses, ticksPerSecond, treeOf } from '../../host/processes.js';
import { readText } from '../../host/read-text.js';
import type { LimitReading, ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { FullestThread } from './fullest-thread.js';
import { SocketDrops } from './socket-drops.js';

/** Use of a process and its descendants, from /proc (proc(5)). Absent if unreadable; never zero instead. */
type ProcessReading = LimitReading &
  Pick<ServerReading, 'cpuCores' | 'rssMb' | 'threads' | 'fullestThread' | 'openFiles' | 'udpDrops'>;

/** Reads one process tree repeatedly. A process that is gone, or whose pid was reused, gives an empty reading. */
export class ProcessMeter {
  #startTicks: number | undefined;
  #last: { readonly atMs: number; readonly ticks: ReadonlyMap<number, number> } | undefined;
  #lastQuotas: QuotaCounts | undefined;
  readonly #groups = new ControlGroups();
  readonly #drops: SocketDrops;
  readonly #threads = new FullestThread();

  constructor(private readonly pid: number) {
    this.#drops = new SocketDrops({
      table: () => readUdpTables(pid),
      inodesOf: readInodes,
      nowMs: () => performance.now(),
    });
  }

  async read(): Promise<ProcessReading> {
    const below = treeOf(await readProcesses(), new Set([this.pid]));
    const root = below.find(({ pid }) => pid === this.pid);
    if (root === undefined || (this.#startTicks ?? root.startTicks) !== root.startTicks) return {};
    this.#startTicks = root.startTicks;
    // The root first: without its memory there is no figure for the tree.
    const tree = [root, ...below.filter((process) => process !== root)];
    const cpuCores = this.#cores(tree);
    const memory = await Promise.all(tree.map((stat) => readStatus(stat.pid, tree.length > 1)));
    const fullestThread = await this.#threads.read(tree.map(({ pid }) => pid));
    const files = await Promise.all(tree.map((stat) => countFiles(stat.pid)));
    const areReadable = !files.includes(undefined);
    const udpDrops = areReadable ? await this.#drops.since(tree.map(({ pid }) => pid)) : undefined;
    return given({
      cpuCores,
      rssMb: memory[0] && sum(memory.map((m) => m?.rssKb ?? 0)) / 1024,
      threads: memory[0] && sum(memory.map((m) => m?.threads ?? 0)),
      fullestThread,
      openFiles: areReadable ? sum(files.map((count) => count ?? 0)) : undefined,
      udpDrops,
      ...(await this.#limits()),
    });
  }

  /** Of its own control groups: what it has started is taken to be in them. A limit may be changed while it runs. */
  async #limits(): Promise<LimitReading> {
    const [quotas, memory] = await Promise.all([
      readQuotasApart(this.pid, this.#groups),
      memoryLimitMb(this.pid, this.#groups),
    ]);
    const used = worstQuotaBetween(this.#lastQuotas, quotas);
    this.#lastQuotas = quotas;
    return given({
      cpuQuotaCores: used?.cores ?? tightestQuota(quotas),
      quotaPeriods: used?.periods,
      throttledPeriods: used?.throttled,
      memoryLimitMb: memory,
    });
  }

  #cores(tree: readonly ProcessStat[]): number | undefined {
    const last = this.#last;
    const now = { atMs: performance.now(), ticks: new Map(tree.map((stat) => [stat.pid, stat.cpuTicks])) };
    this.#last = now;
    if (last === undefined || now.atMs <= last.atMs) return undefined;
    // A child that came since counts whole: all its time was spent since.
    const used = sum([...now.ticks].map(([pid, ticks]) => ticks - (last.ticks.get(pid) ?? 0)));
    return Math.max(0, used / ticksPerSecond / ((now.atMs - last.atMs) / 1000));
  }
}

/** Of one among others its part of the pages that they share (Pss), where that may be read. */
async function readStatus(
  pid: number,
  isOneOfSeveral: boolean,
): Promise<{ readonly rssKb: number; readonly threads: number } | undefined> {
  const [text, pssKb] = await Promise.all([readText(`/proc/${pid}/status`), isOneOfSeveral ? readPssKb(pid) : 0]);
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  const threads = /^Threads:\s+(\d+)$/m.exec(text)?.[1];
  return rss === undefined || threads === undefined
    ? undefined
    : { rssKb: pssKb || Number(rss), threads: Number(threads) };
}

/** `undefined` when that may not be read. */
async function countFiles(pid: number): Promise<number | undefined> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => undefined))?.length;
}

/** Where the open files of a process point to; `undefined` when that may not be read. */
async function readFiles(pid: number): Promise<readonly string[] | undefined> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => undefined);
  return names && Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
}

function socketInodes(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.flatMap((file) => /^socket:\[(\d+)\]$/.exec(file)?.[1] ?? []));
}

async function readInodes(pids: readonly number[]): Promise<ReadonlySet<string> | undefined> {
  const files = await Promise.all(pids.map(readFiles));
  return files.includes(undefined) ? undefined : socketInodes(files.flatMap((found) => found ?? []));
}

/** All UDP sockets in the network namespace of the process. */
async function readUdpTables(pid: number): Promise<string | undefined> {
  const [first, second] = await Promise.all(['udp', 'udp6'].map((name) => readText(`/proc/${pid}/net/${name}`)));
  return first ? `${first}\n${second ?? ''}` : undefined;
}

/**
 * The process that listens on a TCP port of this host, and its name (15 characters at most, proc(5) comm).
 * `undefined` when none is seen; those of other users are seen only by root.
 */
export function findListener(port: number): Promise<FoundProcess | undefined> {
  return holderOf(['tcp', 'tcp6'], port, listening);
}

/** The same of a UDP port, as media servers have for media. */
export function findReceiver(port: number): Promise<FoundProcess | undefined> {
  return holderOf(['udp', 'udp6'], port, unconnected);
}

interface FoundProcess {
  readonly pid: number;
  readonly name: string;
}

async function holderOf(kinds: readonly string[], port: number, state: string): Promise<FoundProcess | undefined> {
  const tables = await Promise.all(kinds.map((name) => readText(`/proc/net/${name}`)));
  const inodes = new Set(tables.flatMap((table) => parseListeners(table, port, state)));
  if (inodes.size === 0) return undefined;
  for (const pid of await processIds()) {
    const files = await readFiles(pid);
    if (![...socketInodes(files ?? [])].some((inode) => inodes.has(inode))) continue;
    const name = (await readText(`/proc/${pid}/comm`)).trim();
    if (name !== '') return { pid, name };
  }
  return undefined;
}

/**
 * The one that listens there, if its name begins so. Any other is a forwarder (Docker's proxy, ssh, a web server),
 * whose CPU would pass for the server's.
 */
export async function findServer(port: number, named: string): Promise<number | undefined> {
  const listener = await findListener(port);
  return listener?.name.startsWith(named) ? listener.pid : undefined;
}

/** States of sockets in /proc/net: TCP_LISTEN, and TCP_CLOSE, which is also that of UDP without a peer. */
const listening = '0A';
const unconnected = '07';

/** Inodes of the sockets in that state on `port`. */
export function parseListeners(table: string, port: number, state = listening): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.flatMap((row) => (row[1]?.endsWith(`:${hex}`) && row[3] === state && row[9] ? [row[9]] : []));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
