import { join } from 'node:path';
import { ControlGroups } from './control-groups.js';
import { readText } from './read-text.js';

/**
 * A container that is held to half a core looks idle from its host: only the kernel's count of the periods in which it
 * was held back shows it. `cpu.stat` of a control group counts the periods in which a quota was enforced (`nr_periods`)
 * and those in which it was used up and everything in the group had to wait (`nr_throttled`). Both mean the same in
 * cgroup v1 (controller `cpu`) and v2 (kernel: Documentation/scheduler/sched-bwc.rst).
 */
export interface QuotaCount {
  readonly periods: number;
  readonly throttled: number;
  /** What the quota allows; absent where none is set on this level. */
  readonly cores?: number;
}

/** By folder of the control group. */
export type QuotaCounts = ReadonlyMap<string, QuotaCount>;

/**
 * The counts of the control groups of these processes and of every group above them: the quota may be set on any level.
 * `undefined` when nothing could be read.
 */
export async function readQuotas(pids: Iterable<number>, groups: ControlGroups): Promise<QuotaCounts | undefined> {
  const folders = await Promise.all([...pids].map((pid) => groups.of(pid, 'cpu')));
  const counts = await countsIn(new Set(folders.flat()));
  return counts.size === 0 ? undefined : counts;
}

/** The counts of those groups of a process that this one is not in; empty where there are none. */
export async function readQuotasApart(pid: number, groups: ControlGroups): Promise<QuotaCounts> {
  return countsIn(await groups.apart(pid, 'cpu'));
}

/** Cores for this process and its children together; undefined without a quota, or where it cannot be read. */
export async function ownCpuQuota(): Promise<number | undefined> {
  return tightestQuotaIn(await new ControlGroups().of('self', 'cpu'));
}

/** The least that any of these folders of control groups allows, cores. */
export async function tightestQuotaIn(folders: readonly string[]): Promise<number | undefined> {
  return least((await Promise.all(folders.map(quotaCores))).flatMap((cores) => cores ?? []));
}

async function countsIn(folders: Iterable<string>): Promise<QuotaCounts> {
  const counts = new Map<string, QuotaCount>();
  for (const folder of folders) {
    const count = parseCpuStat(await readText(join(folder, 'cpu.stat')));
    if (!count) continue;
    const cores = await quotaCores(folder);
    counts.set(folder, { ...count, ...(cores === undefined ? {} : { cores }) });
  }
  return counts;
}

/** Of the groups that enforced a quota in between, the worst: the share of periods in which it throttled. */
export function throttledShareBetween(
  before: QuotaCounts | undefined,
  now: QuotaCounts | undefined,
): number | undefined {
  if (!before || !now) return undefined;
  const worst = worstQuotaBetween(before, now);
  return worst ? worst.throttled / worst.periods : 0;
}

/**
 * Periods of the most throttled group in between, and of groups that were alike the one that allows least; undefined
 * where no quota was enforced, or none is known.
 */
export function worstQuotaBetween(
  before: QuotaCounts | undefined,
  now: QuotaCounts | undefined,
): QuotaCount | undefined {
  const used = [...(now ?? [])].flatMap(([folder, { periods, throttled, ...quota }]) => {
    const earlier = before?.get(folder);
    const passed = periods - (earlier?.periods ?? periods);
    if (!earlier || passed <= 0) return [];
    return [{ ...quota, periods: passed, throttled: Math.min(passed, Math.max(0, throttled - earlier.throttled)) }];
  });
  const share = ({ throttled, periods }: QuotaCount) => throttled / periods;
  const allows = ({ cores = Number.MAX_VALUE }: QuotaCount) => cores;
  return used.sort((a, b) => share(b) - share(a) || allows(a) - allows(b))[0];
}

/** The least that any level allows; undefined where none has a quota. */
export function tightestQuota(counts: QuotaCounts | undefined): number | undefined {
  return least([...(counts?.values() ?? [])].flatMap((count) => count.cores ?? []));
}

function least(cores: readonly number[]): number | undefined {
  return cores.length === 0 ? undefined : Math.min(...cores);
}

/** `cpu.max` of version 2, "max 100000" where there is none; two files of version 1, where -1 is none. */
async function quotaCores(folder: string): Promise<number | undefined> {
  const second = await readText(join(folder, 'cpu.max'));
  const [quota, period] =
    second === ''
      ? await Promise.all(['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => readText(join(folder, name))))
      : second.trim().split(' ');
  const cores = Number.parseInt(quota ?? '', 10) / Number.parseInt(period ?? '', 10);
  return Number.isFinite(cores) && cores > 0 ? cores : undefined;
}

function parseCpuStat(text: string): QuotaCount | undefined {
  const periods = /^nr_periods (\d+)$/m.exec(text)?.[1];
  const throttled = /^nr_throttled (\d+)$/m.exec(text)?.[1];
  return periods === undefined || throttled === undefined
    ? undefined
    : { periods: Number(periods), throttled: Number(throttled) };
}
