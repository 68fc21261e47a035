import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { pid as ownPid } from 'node:process';
import { once } from '../../host/once.js';
import { isRunning } from '../../host/processes.js';
import { readText } from '../../host/read-text.js';
import { LoadlineError, messageOf } from '../../model/errors.js';

/**
 * The quota is dealt out anew each period. A short one makes a slow CPU; with the kernel's usual 100 ms a server would
 * run at full speed and then stand still for tens of milliseconds, which its participants would see as jitter.
 */
const periodUs = 20_000;
/** The kernel takes no quota below 1 ms (sched-bwc.rst). */
const quotaUsMin = 1000;
export const cpuLimitCoresMin = quotaUsMin / periodUs;

const namePattern = /^loadline-(\d+)$/;

/**
 * Holds this process and all that it starts from now on to `cores` of CPU together; `close` lets it out again,
 * is idempotent and never rejects.
 * Throws E_CPU_LIMIT where the host or the user's rights do not allow it; then nothing is left behind.
 */
export async function cageOwnProcess(cores: number, tree?: CgroupTree) {
  const found = tree ?? (await neededTree());
  const folder = await makeCage(found, cores);
  try {
    await writeFile(`${folder}/cgroup.procs`, String(ownPid));
  } catch (cause) {
    await rmdir(folder).catch(() => undefined);
    throw notAllowed(folder, cause);
  }
  const close = once(async (): Promise<void> => {
    await writeFile(`${found.folder}/cgroup.procs`, String(ownPid)).catch(() => undefined);
    await rmdir(folder).catch(() => undefined);
  });
  return { folder, close };
}

/** Finds out whether a limit can be set here, by making a cgroup and removing it. Throws E_CPU_LIMIT. */
export async function proveCpuLimit(cores: number, tree?: CgroupTree): Promise<void> {
  await rmdir(await makeCage(tree ?? (await neededTree()), cores)).catch(() => undefined);
}

/** Removes the cages of processes that have ended without a chance to do it. Never rejects. */
export async function removeDeadCages(tree?: CgroupTree): Promise<void> {
  const found = tree ?? (await findCgroupTree());
  if (found === undefined) return;
  const names = await readdir(found.folder).catch(() => []);
  const dead = names.filter((name) => {
    const pid = namePattern.exec(name)?.[1];
    return pid !== undefined && Number(pid) !== ownPid && !isRunning(Number(pid));
  });
  // One that still holds a process, such as a mixer that outlived its server, cannot be removed (EBUSY) and stays.
  await Promise.all(dead.map((name) => rmdir(`${found.folder}/${name}`).catch(() => undefined)));
}

export async function neededTree(): Promise<CgroupTree> {
  const tree = await findCgroupTree();
  if (tree) return tree;
  throw new LoadlineError('E_CPU_LIMIT', 'This host has no cgroups that limit CPU.', {
    where: '--cpu-limit',
    why: 'neither a cgroup v1 hierarchy with "cpu" nor a cgroup v2 one with that controller is mounted (/proc/mounts)',
    todo: 'leave --cpu-limit out; --egress-limit needs no cgroups',
  });
}

export async function makeCage(tree: CgroupTree, cores: number): Promise<string> {
  const folder = ownGroup(tree);
  const quotaUs = String(Math.max(quotaUsMin, Math.round(cores * periodUs)));
  const values =
    tree.version === 2
      ? { 'cpu.max': `${quotaUs} ${periodUs}` }
      : { 'cpu.cfs_period_us': String(periodUs), 'cpu.cfs_quota_us': quotaUs };
  await makeGroup(tree, 'cpu', values).catch((cause: unknown) => {
    throw notAllowed(folder, cause);
  });
  return folder;
}

/** The group of this process in a hierarchy. */
export const ownGroup = ({ folder }: CgroupTree): string => `${folder}/loadline-${ownPid}`;

/** Makes it, where need be, and writes these files in it. Rejects when it cannot; then it is removed again. */
export async function makeGroup(
  tree: CgroupTree,
  controller: 'cpu' | 'memory',
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await removeDeadCages(tree);
  const folder = ownGroup(tree);
  try {
    if (tree.version === 2) await handDown(tree.folder, controller);
    await mkdir(folder, { recursive: true });
    for (const [name, value] of Object.entries(values)) await writeFile(`${folder}/${name}`, value);
  } catch (error) {
    await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/** In version 2 a group has only controllers that its parent hands down (cgroup-v2.rst, "Enabling and Disabling"). */
async function handDown(folder: string, controller: 'cpu' | 'memory'): Promise<void> {
  const file = `${folder}/cgroup.subtree_control`;
  const given = (await readFile(file, 'utf8')).trim().split(/\s+/);
  if (!given.includes(controller)) await writeFile(file, `+${controller}`);
}

function notAllowed(folder: string, cause: unknown): LoadlineError {
  return new LoadlineError('E_CPU_LIMIT', 'The CPU limit cannot be set here.', {
    where: '--cpu-limit',
    why: `making ${folder} failed: ${messageOf(cause)}`,
    todo: 'run the same command as root (sudo ./loadline …), on the host or in a container that may write its cgroups',
    cause,
  });
}

/** Where CPU, or another thing, is limited on this host, and in which of the two forms of cgroups(7). */
export interface CgroupTree {
  readonly version: 1 | 2;
  readonly folder: string;
}

/**
 * The hierarchy that has the controller, `cpu` or another; `undefined` where there is none. Hosts in "hybrid" mode
 * mount both versions: a controller belongs to one of them, and version 1 names its own among the mount options.
 */
export async function findCgroupTree(
  mountsFile = '/proc/mounts',
  controller: 'cpu' | 'memory' = 'cpu',
): Promise<CgroupTree | undefined> {
  const mounts = (await readText(mountsFile))
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([, folder, type, options]) => (folder && type ? [{ folder, type, options: options ?? '' }] : []));
  const first = mounts.find(({ type, options }) => type === 'cgroup' && options.split(',').includes(controller));
  if (first) return { version: 1, folder: first.folder };
  for (const { folder } of mounts.filter(({ type }) => type === 'cgroup2')) {
    const controllers = (await readText(`${folder}/cgroup.controllers`)).trim().split(/\s+/);
    if (controllers.includes(controller)) return { version: 2, folder };
  }
  return undefined;
}
