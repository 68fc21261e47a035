import { readdir } from 'node:fs/promises';
import { pid as ownPid } from 'node:process';
import { ownedFolders } from '../../host/owned-folders.js';
import { isRunning, killNow } from '../../host/processes.js';
import { removeFolder } from '../../host/remove-folder.js';
import { natTable, ownerOf } from './names.js';
import { tryCommand } from './run-command.js';

/** One for each run's networks: what its network box reads and says. */
export const networkFolders = ownedFolders('network');

interface LeftoverPlaces {
  /** Where `ip netns` keeps names (ip-netns(8)). */
  readonly namespaces: string;
  readonly devices: string;
  readonly temporaryRoot: string;
}

export function leftoverPlaces(temporaryRoot: string): LeftoverPlaces {
  return { namespaces: '/run/netns', devices: '/sys/class/net', temporaryRoot };
}

/** What dead processes left on this host, by name. */
interface Leftovers {
  readonly namespaces: readonly string[];
  readonly devices: readonly string[];
  readonly folders: readonly string[];
  /** Pids of dead owners: their firewall tables, if there are any, have their number. */
  readonly owners: readonly number[];
}

export async function findLeftovers(places: LeftoverPlaces, alive = isRunning): Promise<Leftovers> {
  const dead = async (folder: string, kind: Parameters<typeof ownerOf>[0]) =>
    (await readdir(folder).catch((): string[] => [])).filter((name) => {
      const owner = ownerOf(kind, name);
      return owner !== undefined && !alive(owner);
    });
  const [namespaces, devices, folders] = await Promise.all([
    dead(places.namespaces, 'namespace'),
    dead(places.devices, 'device'),
    networkFolders.abandoned(places.temporaryRoot, alive),
  ]);
  const owners = [
    ...namespaces.map((name) => ownerOf('namespace', name)),
    ...devices.map((name) => ownerOf('device', name)),
    ...folders.map((name) => networkFolders.ownerOf(name)),
  ].filter((owner) => owner !== undefined);
  return { namespaces, devices, folders, owners: [...new Set(owners)] };
}

/**
 * Removes what a killed run left: namespaces with what still runs in them, interfaces, firewall tables, folders. Costs
 * two looks into folders where there is nothing. Never rejects. Returns the names of what was removed: what another
 * user left stays, where this one has no right to remove it.
 */
export async function removeNetworkLeftovers(places: LeftoverPlaces): Promise<readonly string[]> {
  const left = await findLeftovers(places);
  if (left.owners.length === 0) return [];
  for (const namespace of left.namespaces) await removeNamespace(namespace);
  for (const device of left.devices) await tryCommand(['ip', 'link', 'del', device]);
  for (const owner of left.owners) await removeNatTable(owner);
  for (const folder of left.folders) await removeFolder(folder);
  const still = namesOf(await findLeftovers(places));
  return namesOf(left).filter((name) => !still.includes(name));
}

const namesOf = ({ namespaces, devices, folders }: Leftovers) => [...namespaces, ...devices, ...folders];

/** Ends what runs inside, then removes the name, and with the last process all interfaces of it. */
export async function removeNamespace(namespace: string): Promise<void> {
  const { stdout } = await tryCommand(['ip', 'netns', 'pids', namespace]);
  const pids = (stdout.match(/\d+/g) ?? []).map(Number);
  for (const pid of pids) if (pid !== ownPid) killNow(pid);
  await tryCommand(['ip', 'netns', 'del', namespace]);
}

export async function removeNatTable(owner: number): Promise<void> {
  await tryCommand(['nft', 'delete', 'table', 'ip', natTable(owner)]);
}
