import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { pid as ownPid } from 'node:process';
import { readChildrenPss, readTreesPss } from '../../host/process-memory.js';
import { isBrowserless, type ProbeKind, probeKinds } from '../../model/probe-kinds.js';
import { startBrowserFleet } from '../../probes/chromium/browser-player.js';
import { profileFolders } from '../../probes/chromium/profile-folders.js';
import type { StartFleet } from '../../probes/fleet.js';
import { localFleets } from '../../probes/local-fleet.js';
import type { PlayerFleets } from '../../probes/mixed-fleet.js';
import { startNativeFleet } from '../../probes/native/native-player.js';
import { whyRootPlays, workerProgram } from '../../probes/native/worker-set.js';
import type { VisitOrder } from '../../probes/visit/visit-order.js';
import { visitingPlayer } from '../../probes/visit/visiting-player.js';

/** What plays probes on a host. */
interface HostPlayer {
  readonly start: (cacheFolder: string) => StartFleet;
  /** Memory of all that this process has started to play with it, MiB (PSS). */
  readonly memoryMb: () => Promise<number>;
  /** Why its processes would run as root, a sentence part; absent: it has a confinement of its own. */
  readonly whyRoot?: () => Promise<string | undefined>;
}

/** By their names in casts. */
const players = {
  /** Real ones, whose profiles lie in the temporary folder. */
  browsers: {
    start: (cacheFolder) => (options, listener) =>
      startBrowserFleet({ ...options, cacheFolder, temporaryRoot: tmpdir() }, listener),
    memoryMb: () => readTreesPss((argument) => profileFolders.ownerOf(argument) === ownPid),
  },
  native: {
    start: (cacheFolder) => (options, listener) => startNativeFleet({ ...options, cacheFolder }, listener),
    memoryMb: () => readChildrenPss(ownPid, (argument) => basename(argument) === workerProgram),
    whyRoot: whyRootPlays,
  },
} as const satisfies Readonly<Record<string, HostPlayer>>;

/** The fleets of this host, or of one that is offered; with pages of a web app where one is visited. */
export function playerFleets(cacheFolder: string, visit?: VisitOrder): PlayerFleets {
  const fleets = Object.entries(players).map(([name, { start }]) => [name, start(cacheFolder)] as const);
  const pages: StartFleet | undefined = visit && localFleets(visitingPlayer(visit));
  return {
    browsers: players.browsers.start(cacheFolder),
    ...Object.fromEntries(fleets),
    ...(pages
      ? { visiting: (options, listener) => pages({ ...options, cacheFolder, temporaryRoot: tmpdir() }, listener) }
      : {}),
  };
}

export function playerOf(kind: ProbeKind): HostPlayer {
  return isBrowserless(kind) ? players[probeKinds[kind].player] : players.browsers;
}

/** Of each whose processes run with the rights of who starts them: why that would be as root. */
export async function whoPlaysAsRoot(): Promise<
  readonly { readonly player: string; readonly why: string | undefined }[]
> {
  const asked = Object.entries<HostPlayer>(players).flatMap(([player, { whyRoot }]) =>
    whyRoot ? { player, whyRoot } : [],
  );
  return Promise.all(asked.map(async ({ player, whyRoot }) => ({ player, why: await whyRoot() })));
}
