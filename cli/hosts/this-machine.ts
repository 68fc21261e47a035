import { readFile, readlink } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { pid } from 'node:process';
import { given } from '../../model/given.js';
import type { Wanted } from '../../probes/hosts/unfitness.js';
import { loadlineVersion, ownBuild } from '../version.js';

/** Of the running kernel (random(4)): containers on one machine have the same. */
export async function bootId(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return id.trim() || hostname();
}

/** Names the network namespace of this process (namespaces(7)); `undefined` where there is no /proc. */
export async function netnsId(): Promise<string | undefined> {
  return readlink('/proc/self/ns/net').catch(() => undefined);
}

/** What hosts must be of to serve a conductor on this machine. */
export async function wantedHere(): Promise<Wanted> {
  const [boot, netns] = [await bootId(), await netnsId()];
  return given({ build: ownBuild(), version: loadlineVersion(), boot, netns });
}

/** Who holds hosts, for others who want them. */
export function thisConductor(): string {
  return `${userInfo().username}@${hostname()}, process ${pid}`;
}
