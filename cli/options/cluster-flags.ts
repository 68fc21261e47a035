import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type ClusterPlacement, clusterName, placements } from '../../model/placement.js';
import {
  type ClusterMemberPlan,
  type ClusterServerPlan,
  clusterServerSchema,
  drills,
  isCluster,
  type Plan,
  type RealServerPlan,
} from '../../model/plan.js';
import { oneOut } from '../../model/remedy.js';
import { clusterKind } from '../../server-setup/cluster/cluster-kind.js';
import type { Kinds, ServerKind } from '../../server-setup/server-kind.js';
import { type Flags, typed, type ValuesOf } from './flag.js';
import { type AskedServer, readServer, type ServerFlags } from './server.js';
import { faultsIn, readTogether, throwFaults } from './together.js';
import { usageError } from './usage-error.js';
import { word } from './written.js';

/** What was asked of which kind of server, or of several of one kind. */
export interface AskedServers {
  readonly kind: ServerKind;
  /** Of a cluster: the kind that all its servers are of. */
  readonly memberKind?: ServerKind;
  readonly server: RealServerPlan | ClusterServerPlan;
}

/** One server of a file of servers, as words; what is beside its own keys are flags of its kind. */
export interface ListedServer {
  readonly name?: string | undefined;
  readonly weight?: number | undefined;
  readonly hostType?: string | undefined;
  /** A stored run of it alone. */
  readonly run?: string | undefined;
  readonly flags: Readonly<Record<string, unknown>>;
}

export const clusterFlags = {
  servers: {
    takes: 'file',
    about: 'several servers as one cluster, with weights, kinds of host and limits: servers.yaml',
    onResume: 'again',
  },
  placement: {
    takes: 'how',
    about: `on which server of a cluster a session goes: ${placements.join(', ')} (default: round-robin)`,
    value: word(placements),
  },
  placer: {
    takes: 'command',
    about: 'the same, by a command that gets each session and writes the name of a server',
    onResume: 'again',
  },
  drill: {
    takes: 'what',
    about: 'lose-host: at the size that held, take a server of the cluster away, and see who comes back',
    value: word(drills),
  },
  drillCommand: {
    takes: 'command',
    about: 'what takes a server away that this run has not started',
    onResume: 'again',
  },
} as const satisfies Flags;

type ClusterAsked = ValuesOf<typeof clusterFlags>;

/** Which servers were named, as words. */
export interface ServerWords extends Readonly<Record<string, unknown>> {
  /** One, or several that are given by repeating the flag. */
  readonly server: string | readonly string[];
  /** A file of servers. */
  readonly servers?: string;
  /** What that file says, once it was read. */
  readonly listed?: readonly ListedServer[];
}

/** One server, or a cluster of those that are named. Throws E_SERVER_URL, E_RATE, E_USAGE. */
export function readServers(flags: ServerWords, asked: ClusterAsked, kinds: Kinds): AskedServers {
  const { listed } = flags;
  const named = typeof flags.server === 'string' ? [flags.server] : flags.server;
  if (listed && typeof flags.server !== 'string') {
    throw usageError(
      '--server and --servers both name servers.',
      ['--server', '--servers'],
      oneOut('--server', '--servers'),
    );
  }
  const entries = listed ?? named.map((server): ListedServer => ({ flags: { server } }));
  if (entries.length < 2) {
    const one = readServer(wordsOf(flags, entries[0]), kinds);
    assertNoCluster(asked, one, listed !== undefined);
    return one;
  }
  const each = Object.values(
    readTogether(
      Object.fromEntries(entries.map((entry, nth) => [`server ${nth}`, () => readListed(flags, entry, kinds)])),
    ),
  );
  const [first] = each;
  if (!first) throw new LoadlineError('E_INTERNAL', 'Of several servers none was read.');
  assertOneKind(each);
  const members = each.map(({ server }, nth) => memberOf(server, entries[nth], nth));
  assertApart(members);
  const cluster = clusterServerSchema.parse({ kind: 'cluster', members, ...placementOf(asked) });
  return { kind: clusterKind(first.kind, cluster), memberKind: first.kind, server: cluster };
}

/** An error of what stands in the file of servers names its key there. */
function readListed(flags: ServerWords, entry: ListedServer, kinds: Kinds): AskedServer {
  try {
    return readServer(wordsOf(flags, entry), kinds);
  } catch (error) {
    if (flags.servers === undefined || !(error instanceof LoadlineError)) throw error;
    const at = `${flags.servers}, server ${entry.name ?? entry.flags.server}`;
    throwFaults(faultsIn(error).map((fault) => inFile(fault, Object.keys(entry.flags), at)));
    throw error;
  }
}

function inFile(fault: LoadlineError, keys: readonly string[], at: string): LoadlineError {
  const { code, message, where = '', why, todo = '', ways } = fault;
  const [key] = where.split(', ').flatMap((flag) => keys.filter((one) => typed(one) === flag));
  if (key === undefined) return fault;
  const [first] = ways;
  const isOut = typeof first === 'object' && !first.give && (first.leave ?? []).length > 0;
  const remedy = isOut ? `leave ${key} out there` : todo.replaceAll(typed(key), `${key}:`);
  return new LoadlineError(code, message, { where: `${at}, ${key}`, why, todo: remedy });
}

function wordsOf(flags: ServerWords, entry: ListedServer | undefined): ServerFlags {
  const server = typeof flags.server === 'string' ? flags.server : flags.server[0];
  return { ...flags, server: server ?? '', ...entry?.flags };
}

function memberOf(server: RealServerPlan, entry: ListedServer | undefined, nth: number): ClusterMemberPlan {
  const { name = clusterName(nth), weight, hostType } = entry ?? {};
  return given({ name, server, weight, hostType });
}

function placementOf({ placement, placer }: ClusterAsked): { placement: ClusterPlacement; placer?: string } {
  if (placer === undefined) return { placement: placement ?? 'round-robin' };
  if (placement === undefined) return { placement: 'command', placer };
  const what = '--placement and --placer both say where sessions go.';
  throw usageError(what, ['--placement', '--placer'], oneOut('--placement', '--placer'));
}

function assertNoCluster(asked: ClusterAsked, { kind: { name, place } }: AskedServer, isListed: boolean): void {
  const only = ['placement', 'placer', 'drill', 'drillCommand'] as const;
  const flags = isListed ? ['--servers'] : only.filter((key) => asked[key] !== undefined).map((key) => typed(key));
  if (flags.length === 0) return;
  const another = place.by === 'start' ? { give: { '--server': [name, name] } } : 'name another with --server, too';
  const todo = [isListed ? 'name two or more in that file' : another, { leave: flags }];
  throw usageError(
    `${flags.join(', ')} ${flags.length === 1 ? 'is' : 'are'} for several servers, and one is named.`,
    flags,
    todo,
  );
}

/** Throws E_USAGE where each server is asked for alone, and there is one. */
export function assertSeveral(server: Plan['server']): asserts server is ClusterServerPlan {
  if (isCluster(server)) return;
  const todo = 'leave --each out, or name others with --server or --servers';
  throw usageError('--each is for several servers, and one is named.', ['--each'], todo);
}

/** A session of one kind is laid out as that kind has it, and sessions may be placed on any of them. */
function assertOneKind(each: readonly { readonly kind: ServerKind; readonly server: RealServerPlan }[]): void {
  const names = [...new Set(each.map(({ kind }) => kind.name))];
  if (names.length > 1) {
    const why = `these are ${names.join(' and ')}: what a session looks like differs between them`;
    const todo = 'measure each kind in a run of its own';
    throw usageError('The servers of a cluster are of one kind.', ['--server'], todo, why);
  }
  const ways = new Set(each.map(({ kind, server }) => kind.subscribing?.(server)));
  if (ways.size < 2) return;
  const why = `these give it in ${ways.size} ways, and a session may be placed on any of them`;
  const todo = 'say the same for all of them';
  throw usageError('The servers of a cluster give media in one way.', ['--servers'], todo, why);
}

/** Two that are one would have each its own half of what it holds. */
function assertApart(members: readonly ClusterMemberPlan[]): void {
  const names = members.map(({ name }) => name);
  const urls = members.flatMap(({ server }) => server.url ?? []);
  const twiceNamed = [names, urls].flatMap((words) => words.find((word, nth) => words.indexOf(word) !== nth) ?? [])[0];
  if (twiceNamed === undefined) return;
  const todo = 'name each once; a larger share of the sessions is its weight';
  throw usageError(`A server of the cluster is named twice: ${twiceNamed}.`, ['--server', '--servers'], todo);
}

/** What is done to the servers of a cluster on purpose. */
export function drillOf({ drill, drillCommand: command }: ClusterAsked): Plan['drill'] {
  if (drill === undefined && command === undefined) return undefined;
  return given({ kind: drill ?? ('lose-host' as const), command });
}
