import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../model/plan.js';
import { readRun, type StoredRun } from '../store/read-run.js';

export interface LastRun {
  /** Its largest stable size. */
  readonly stable: number;
  readonly name: string;
}

/** Of a folder with years of runs, no more than these are looked at. */
const mostRead = 20;

/**
 * The newest run in a folder that asked the same of the same server and came to an answer. Only what is measured must be
 * the same, not how it was searched. What cannot be read is passed over: it is a hint where to start, no more.
 */
export async function lastRunOf(plan: Plan, folder: string): Promise<LastRun | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  const ofPlan = names.filter((name) => name.includes(`-${plan.scenario}-${plan.server.kind}`)).sort();
  for (const name of ofPlan.slice(-mostRead).reverse()) {
    const run = await readRun(join(folder, name)).catch(() => undefined);
    const stable = run && isSame(run, plan) ? answerOf(run) : undefined;
    if (stable !== undefined) return { stable, name: basename(name) };
  }
  return undefined;
}

/** By what JSON says of it, because a stored plan has no fields that are undefined. */
function isSame({ manifest }: StoredRun, plan: Plan): boolean {
  const asked = ({ search: _, ...rest }: Plan) => JSON.parse(JSON.stringify(rest)) as unknown;
  return manifest.command[1] !== 'try' && isDeepStrictEqual(asked(manifest.plan), asked(plan));
}

function answerOf({ result }: StoredRun): number | undefined {
  const found = result?.outcome === 'found' || result?.outcome === 'reached-max';
  return found && result.limit.stable > 0 ? result.limit.stable : undefined;
}
