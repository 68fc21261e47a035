import { participantsOf, type Scenario } from '../../model/scenario.js';
import { withoutBrowser } from '../../model/sentinels.js';
import { scenarios } from '../../scenarios/index.js';

/** Rows tried on a real server: their command lines. The tool itself refuses what a server cannot do. */

export const scenarioNames = scenarios.map(({ name }) => name);
export const playerNames = ['full', 'encoded', 'native', 'none'] as const;
export const recordNames = ['no', 'yes'] as const;
export const networkNames = ['plain', 'lossy'] as const;

export type Player = (typeof playerNames)[number];

/** What makes the whole matrix impossible. */
export class NoMatrix extends Error {}

export interface RealServer {
  readonly name: string;
  /** Of the command line. */
  readonly words: readonly string[];
}

export interface Cell {
  readonly server: string;
  readonly scenario: string;
  readonly player: Player;
  readonly record: (typeof recordNames)[number];
  readonly network: (typeof networkNames)[number];
}

export type Choice = { readonly [key in 'scenario' | 'player' | 'record' | 'network']: readonly string[] };

const prefix = 'LOADLINE_REAL_';

/** The servers that the environment names: each variable has what stands behind `--server`, then flags as they are. */
export function serversIn(env: Readonly<Record<string, string | undefined>>): readonly RealServer[] {
  const servers = Object.entries(env).flatMap(([variable, text = '']) => {
    const words = text.split(/\s+/).filter((word) => word !== '');
    if (!variable.startsWith(prefix) || words.length === 0) return [];
    if (words[0]?.startsWith('-'))
      throw new NoMatrix(`${variable} begins with "${words[0]}": write first what stands behind --server, then flags.`);
    return [{ name: variable.slice(prefix.length).toLowerCase(), words: ['--server', ...words] }];
  });
  if (servers.length === 0)
    throw new NoMatrix(`No server is named. Set ${prefix}JANUS='janus://127.0.0.1:8188' or the like.`);
  return servers;
}

export function cellsOf(server: RealServer, choice: Choice): readonly Cell[] {
  const taken = <Name extends string>(all: readonly Name[], key: keyof Choice) =>
    all.filter((name) => choice[key].includes(name));
  return taken(scenarioNames, 'scenario').flatMap((scenario) =>
    taken(networkNames, 'network').flatMap((network) =>
      taken(recordNames, 'record').flatMap((record) =>
        taken(playerNames, 'player').map((player) => ({ server: server.name, scenario, player, record, network })),
      ),
    ),
  );
}

const roomSize = 3;

/** The smallest size with two native probes beside their sentinels; where there is none, the tool says why. */
function sizeOf(scenario: Scenario | undefined, player: Player): number {
  if (scenario === undefined || player !== 'native') return 1;
  const natives = (size: number) =>
    withoutBrowser(participantsOf(scenario.sessions(size)), { sentinels: '5%', seed: 0 }).size;
  return [1, 2, 3, 4, 5, 6, 7, 8].find((size) => natives(size) >= 2) ?? 2;
}

const lossy = '40ms 5ms, 3% loss';

export function wordsOf({ scenario, player, record, network }: Cell, server: RealServer): readonly string[] {
  const usual = scenarios.find(({ name }) => name === scenario);
  const ofMembers = usual?.ofMembers;
  const size = sizeOf(ofMembers?.(roomSize) ?? usual, player);
  return [
    ...['try', scenario, '--size', String(size), '--media', player],
    ...(ofMembers === undefined ? [] : ['--room-size', String(roomSize)]),
    // Some servers have nothing for a viewer before media comes, which signalling alone never brings.
    ...(player === 'none' ? ['--by', 'arrivals', '--hold', '5s', '--legs', 'sending'] : []),
    ...(record === 'yes' ? ['--record'] : player === 'none' ? [] : ['--no-record']),
    ...(network === 'lossy' ? ['--network', lossy] : []),
    ...server.words,
    ...['--settle', '15s', '--measure', '10s', '--quiet', '--format', 'json'],
  ];
}

/** About how long a row takes on a server that can do it. */
export function secondsOf({ player, network }: Cell): number {
  return { full: 40, encoded: 40, native: 75, none: 20 }[player] + (network === 'lossy' ? 15 : 0);
}
