import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asksForOneSize } from '../../analysis/search/undecided.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Plan } from '../../model/plan.js';
import { askedOfPlayers } from '../../model/players.js';
import type { Manifest } from '../../model/run.js';
import { redactedCopy } from '../../model/secrets.js';
import { isNearShare, sizeAtShare } from '../../model/study.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { usageError, wrongValue } from '../options/usage-error.js';
import { readCount } from '../options/values.js';
import { finishedRun } from '../report/finished-run.js';
import { openRun, ownManifest } from '../report/open-run.js';

/** Of a folder with years of runs, no more than these are looked at. */
const mostRead = 20;
const trust = 'own-of-any-size';

interface LookedFor {
  /** How many runs of the scenario and the kind of server are looked at. */
  readonly most?: number;
  /** Names from this one on are passed over. */
  readonly before?: string;
  readonly isMeant?: (run: StoredRun) => boolean;
}

/**
 * The newest run in a folder that asked the same of the same server and came to an answer. Only what is measured must
 * be the same, not how it was searched. What cannot be read is passed over: it is a hint where to start, no more.
 */
export async function lastRunOf(plan: Plan, folder: string, { most = mostRead, before, isMeant }: LookedFor = {}) {
  const names = await readdir(folder).catch((): string[] => []);
  const ofPlan = names
    .filter((name) => name.includes(`-${plan.scenario}-${plan.server.kind}`))
    .filter((name) => before === undefined || name < before)
    .sort();
  for (const name of ofPlan.slice(-most).reverse()) {
    const directory = join(folder, name);
    const manifest = await ownManifest(directory, trust).catch(() => undefined);
    if (!manifest || !isSame(manifest, plan)) continue;
    const run = await openRun(directory, trust).catch(() => undefined);
    const stable = run && answerOf(run);
    if (run && stable !== undefined && isMeant?.(run) !== false) return { stable, name: basename(name), run };
  }
  return undefined;
}

/** The search that asked the same before this one, in the same folder: names begin with the time. */
export async function runBefore({ manifest, directory }: StoredRun): Promise<FinishedRun | undefined> {
  if (asksForOneSize(manifest.command)) return undefined;
  const last = await lastRunOf(manifest.plan, dirname(directory), { before: basename(directory) });
  return last && finishedRun(last.run);
}

/** Between a limit and the next search, a monitor may make so many runs of one size. */
const mostBetween = 2000;

/** What follows `--size`: a number, or a share of the last limit. */
export function isShareOfLimit(text: string): boolean {
  return shareOf(text) !== undefined;
}

/** A size that is no share of a limit. Throws E_USAGE; of what may be meant as a share, with how one is written. */
export function readSize(text: string): number {
  const [, percent] = /^(\d{1,9})\s*%/.exec(text.trim()) ?? [];
  if (percent === undefined) return readCount(text, '--size');
  const share = Math.max(1, Math.min(100, Number(percent)));
  throw wrongValue(
    '--size',
    text,
    'must be a whole number, or a share of the last limit up to 100%',
    `${share}% of limit`,
  );
}

/**
 * The size that is nearest to "80% of limit". The limit is of the newest search in this folder that asked the same and
 * found one. E_USAGE where there is none, and where no size is near: 1 is half of 2.
 */
export async function sizeOfLimit(text: string, plan: Plan, folder: string): Promise<number> {
  const last = await lastRunOf(plan, folder, { most: mostBetween, isMeant: foundLimit });
  if (last) return nearestSize(text, last);
  const short = await lastRunOf(plan, folder, { most: mostBetween });
  const why = short
    ? `${short.name} came to ${short.stable} or more, and did not find the limit`
    : `no finished search in ${folder} asked the same of the same server`;
  const todo = 'run loadline find with this plan and the same --out to its end first, or give a number';
  throw usageError(`--size "${text}" needs a limit, and none is known of this plan.`, ['--size'], todo, why);
}

function nearestSize(text: string, { stable: limit, name }: Readonly<{ stable: number; name: string }>): number {
  const share = shareOf(text) ?? 100;
  const size = sizeAtShare(share, limit);
  if (isNearShare(size, limit, share)) return size;
  const why = `the limit of ${name} is ${limit}, and ${size} is ${Math.round((100 * size) / limit)} % of it`;
  throw usageError(`No size is near --size "${text}".`, ['--size'], 'give a number', why);
}

function foundLimit({ result }: StoredRun): boolean {
  if (result?.outcome !== 'found' || result.limit.unstable === null) return false;
  return !result.cutShort && !result.undecided;
}

function shareOf(text: string): number | undefined {
  const share = Number(/^(\d{1,3})\s*% of limit$/.exec(text.trim())?.[1] ?? Number.NaN);
  return share >= 1 && share <= 100 ? share : undefined;
}

/** By what JSON says of it, because a stored plan has no fields that are undefined. */
function isSame(manifest: Manifest, plan: Plan): boolean {
  const asked = ({ search: _, server, players, ...rest }: Plan) =>
    JSON.parse(JSON.stringify({ ...rest, server: redactedCopy(server), players: askedOfPlayers(players) })) as unknown;
  return !asksForOneSize(manifest.command) && isDeepStrictEqual(asked(manifest.plan), asked(plan));
}

function answerOf({ result }: StoredRun): number | undefined {
  const found = result?.outcome === 'found' || result?.outcome === 'reached-max';
  return found && result.limit.stable ? result.limit.stable : undefined;
}
