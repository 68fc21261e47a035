import { chmod, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { type CgroupTree, findCgroupTree } from '../../server-setup/cpu-limit/cpu-cage.js';

/** As container engines set it: the kernel's usual period. */
const periodUs = 100_000;

/** A Chromium that is held to a share of one core, as in a container with a CPU limit. */
interface StarvedChromium {
  /** For `--chromium`: an executable that goes into the control group and becomes Chromium. */
  readonly path: string;
  /** Idempotent; call it when the browsers have ended. */
  release(): Promise<void>;
}

/** Why browsers cannot be starved here, or `undefined` when they can. */
export async function whyNotStarved(): Promise<string | undefined> {
  if (getuid?.() !== 0) return 'control groups can be made by root only';
  const tree = await findCgroupTree();
  if (!tree) return 'no control groups that limit CPU are mounted';
  if (tree.version === 2)
    return 'browsers of root run as another user, who may not go into a group of version 2 (cgroups(7), delegation)';
  const rights = await makeGroup(tree, 'probe', 0.5)
    .then((folder) => rmdir(folder))
    .catch((error: Error) => error.message);
  return typeof rights === 'string' ? `control groups cannot be made: ${rights}` : undefined;
}

export async function starveChromium(chromium: string, cores: number, folder: string): Promise<StarvedChromium> {
  const tree = await findCgroupTree();
  if (!tree) throw new Error('no control groups that limit CPU are mounted');
  const group = await makeGroup(tree, 'browsers', cores);
  const path = join(folder, 'starved-chromium');
  await writeFile(path, `#!/bin/sh\necho $$ > '${group}/cgroup.procs' || exit 1\nexec '${chromium}' "$@"\n`);
  await chmod(path, 0o755);
  return { path, release: () => rmdir(group).catch(() => undefined) };
}

/** Holds a process that runs to a share of one core, with those that it starts from now on. */
export async function holdBack(pid: number, cores: number): Promise<Pick<StarvedChromium, 'release'>> {
  const tree = await findCgroupTree();
  if (!tree) throw new Error('no control groups that limit CPU are mounted');
  const group = await makeGroup(tree, `held-${pid}`, cores);
  await writeFile(join(group, 'cgroup.procs'), String(pid));
  return { release: () => rmdir(group).catch(() => undefined) };
}

async function makeGroup({ version, folder }: CgroupTree, name: string, cores: number): Promise<string> {
  const group = join(folder, `loadline-test-${name}-${process.pid}`);
  if (version === 2) {
    const control = join(folder, 'cgroup.subtree_control');
    if (!(await readFile(control, 'utf8')).split(/\s+/).includes('cpu')) await writeFile(control, '+cpu');
  }
  await mkdir(group);
  // Browsers of root run as another user, and go in by themselves.
  await chmod(join(group, 'cgroup.procs'), 0o666);
  if (version === 2) {
    await writeFile(join(group, 'cpu.max'), `${Math.round(cores * periodUs)} ${periodUs}`);
  } else {
    await writeFile(join(group, 'cpu.cfs_period_us'), String(periodUs));
    await writeFile(join(group, 'cpu.cfs_quota_us'), String(Math.round(cores * periodUs)));
  }
  return group;
}
