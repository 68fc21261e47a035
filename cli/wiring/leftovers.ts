import { tmpdir } from 'node:os';
import { ownedFolders } from '../../host/owned-folders.js';
import { recordingFolders } from '../../host/recording-folders.js';
import { removedKind } from '../../host/remove-folder.js';
import { removeTied } from '../../host/tied-process.js';
import { profileFolders } from '../../probes/chromium/profile-folders.js';
import { vmafFolders } from '../../probes/chromium/vmaf-folders.js';
import { removeDeadCages } from '../../server-setup/cpu-limit/cpu-cage.js';
import { leftoverPlaces, removeNetworkLeftovers } from '../../server-setup/network/leftovers.js';
import { turnFolders } from '../../server-setup/turn/coturn-config.js';
import { busFolders } from '../hosts/local-bus.js';
import type { ToolProcess } from '../process.js';

/**
 * Removes what runs left that were killed with no chance to do it, and says so: namespaces, interfaces, relays,
 * browsers' profiles, recordings, cgroups. Whose owner is alive stays. Returns what was removed. Never rejects; costs a
 * few looks into folders when nothing is left.
 */
export async function removeLeftovers({ stderr }: ToolProcess): Promise<readonly string[]> {
  const temporaryRoot = tmpdir();
  // In this order: a browser in a namespace writes to its profile until it is ended.
  const removed = [
    ...(await removeNetworkLeftovers(leftoverPlaces(temporaryRoot))),
    ...(await removeTied(turnFolders, temporaryRoot, 'coturn')),
    ...(await removeTied(busFolders, temporaryRoot, 'nats-server')),
    ...(await profileFolders.removeAbandoned(temporaryRoot)),
    ...(await vmafFolders.removeAbandoned(temporaryRoot)),
    ...(await recordingFolders.removeAbandoned(temporaryRoot)),
    ...(await ownedFolders(removedKind).removeAbandoned(temporaryRoot)),
  ];
  await removeDeadCages();
  if (removed.length > 0) stderr.write(`Removed what a killed run left: ${removed.join(', ')}.\n`);
  return removed;
}
