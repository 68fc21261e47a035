import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { markOfRun } from '../../analysis/monitor/mark-of-run.js';
import { messageOf } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import type { RunMark } from '../../model/monitor.js';
import { type ClusterServerPlan, isCluster, isSimulated, type Plan, type RealServerPlan } from '../../model/plan.js';
import { askedOfPlayers } from '../../model/players.js';
import { bytesIn } from '../../store/run-directory/thin-run.js';
import type { ToolProcess } from '../process.js';
import { openRun } from '../report/open-run.js';
import type { Watch } from './monitor-file.js';
import { type EndedRun, runChild } from './run-child.js';

export interface WatchRun {
  readonly mark: RunMark;
  readonly question: string;
  /** The folder's name; absent when there is none. */
  readonly run?: string;
  readonly bytes?: number;
}

/** The folder that plan files are named from, and the one that its run's folder is made in. */
interface WatchPlace {
  readonly folder: string;
  readonly out: string;
}

/** Longer than any run of one size takes; a whole search may take this many hours. */
const withinTryMs = 2 * 3_600_000;
const withinFindMs = 12 * 3_600_000;

/**
 * Runs a watch once as a process of its own, which is an ordinary run of Loadline into the same folder: what it leaks
 * it takes with it, and nothing that befalls it befalls the monitor. Never rejects but when `signal` aborts.
 */
export async function runWatch(
  { watch, ...where }: WatchPlace & { readonly watch: Watch },
  tool: ToolProcess,
  signal: AbortSignal,
): Promise<WatchRun> {
  const withinMs = watch.within ?? (watch.size === 'find' ? withinFindMs : withinTryMs);
  const ended = await runChild(tool, argumentsOf(watch, where), withinMs, signal);
  signal.throwIfAborted();
  try {
    return await readBack(ended, watch);
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** As a person would type it. */
export function argumentsOf(watch: Watch, { folder, out }: WatchPlace): string[] {
  const { plan = '', simulate } = watch;
  if (simulate !== undefined) return ['simulate', ...simulate.trim().split(/\s+/), ...addedTo(watch, out)];
  return [watch.size === 'find' ? 'find' : 'try', resolve(folder, plan), ...addedTo(watch, out)];
}

const addedTo = ({ size }: Watch, out: string): string[] => [
  ...(size === 'find' ? [] : ['--size', size]),
  ...['--out', out, '--format', 'json'],
];

const resultShape = z.looseObject({ runDirectory: z.string() });

async function readBack(ended: EndedRun, watch: Watch): Promise<WatchRun> {
  if (ended.late) return failed(`The run was ended because it took longer than ${ended.withinMs / 60_000} min.`);
  const result = resultShape.safeParse(jsonIn(ended.stdout)).data;
  if (result === undefined) return failed(whatWasSaid(ended));
  const run = await openRun(result.runDirectory, 'any');
  return {
    mark: markOfRun(run, watch.size === 'find', ended.exitCode === answersNo),
    question: questionOf(run.manifest.plan, watch.size === 'find'),
    run: basename(run.directory),
    bytes: await bytesIn(run.directory),
  };
}

const answersNo = 3;

/** The error that the run printed, in a sentence or two. */
export function whatWasSaid({ stderr, how }: EndedRun): string {
  const [, error] = /^error (E_\w+: .*)$/m.exec(stderr) ?? [];
  const [, why] = /^ {4}why {5}(.*)$/m.exec(stderr) ?? [];
  if (error !== undefined) return why === undefined ? error : `${error} ${why}.`;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return `The run ${how} without a result${last === '' ? '.' : `; its last words: ${last}`}`;
}

export function failed(why: string): WatchRun {
  return {
    mark: { verdict: 'failed', unit: 'sessions', reasons: [why], metrics: {}, surroundings: {} },
    question: '',
  };
}

/**
 * What a run asked, as a short name: everything that is measured and judged, and the server's address. Not how a limit
 * was searched, and not what limits the server was given: those are of the server, whose change is what a monitor is
 * there to see. Of a run for one size `max` is that size, also where the baseline failed before it.
 */
export function questionOf({ search, server, ...rest }: Plan, asksForLimit: boolean): string {
  const asked = asksForLimit ? 'find' : String(search.max);
  const address = isSimulated(server) ? '' : addressesOf(server);
  const text = JSON.stringify([
    sorted({ ...rest, players: askedOfPlayers(rest.players) }),
    server.kind,
    address,
    asked,
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Of a cluster those of all servers, and how sessions are placed on them. */
function addressesOf(server: RealServerPlan | ClusterServerPlan): string {
  if (!isCluster(server)) return server.url ?? '';
  const urls = server.members.map((member) => member.server.url ?? '');
  return [server.placement, server.placer ?? '', ...urls].join(' ');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
