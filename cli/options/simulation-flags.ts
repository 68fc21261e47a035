import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { placements } from '../../model/placement.js';
import type { SimulatedServerPlan } from '../../model/plan.js';
import { symptoms } from '../../simulation/symptoms.js';
import { percentIn, readCount, readDuration, readWord } from './values.js';

/** What is simulated, as words. */
export interface SimulationFlags {
  readonly capacity: string;
  readonly cluster?: string;
  readonly placement: string;
  readonly flakyWidth?: string;
  readonly drift?: string;
  readonly fatigue?: string;
  readonly symptom: string;
  readonly refusesAbove?: string;
  readonly probeLimit?: string;
  readonly voidRate?: string;
  readonly coldJoin?: string;
  readonly seed: string;
}

export function addSimulationFlags(command: Command): Command {
  return command
    .option('--capacity <n>', 'the largest size that the simulated server carries', '18')
    .option('--cluster <list>', 'several servers, with a capacity each: 2,3,5; a session is on one of them')
    .option('--placement <how>', `where a session of a cluster goes: ${placements.join(', ')}`, 'round-robin')
    .option('--flaky-width <n>', 'over so many sizes around the capacity the outcome is chance')
    .option('--drift <percent>', 'the capacity falls by this much with each trial; below 0 it rises')
    .option('--fatigue <percent>', 'it falls by this much with each overload, and no reset cures it')
    .option('--symptom <what>', 'what is noticed above it: slow, loss, freeze, or mixed', 'mixed')
    .option('--refuses-above <n>', 'joins above this size are refused')
    .option('--probe-limit <n>', 'above this size the probe host is out of CPU')
    .option('--void-rate <share>', 'in this share of the trials a browser crashes: 0.1')
    .option('--cold-join <time>', 'its first joins take so long, and a warm-up comes before the first trial')
    .option('--seed <n>', 'the same seed gives the same run', '1');
}

/** Throws E_USAGE naming the flag. */
export function readSimulation(flags: SimulationFlags): SimulatedServerPlan {
  const given = <Name extends string>(name: Name, value: number | undefined) =>
    value === undefined ? {} : ({ [name]: value } as Readonly<Record<Name, number>>);
  const cluster = readCluster(flags);
  return {
    kind: 'simulated',
    capacity: cluster ? Math.max(...cluster.capacities) : readCount(flags.capacity, '--capacity'),
    ...(cluster ? { cluster } : {}),
    symptom: readWord(flags.symptom, '--symptom', symptoms),
    seed: readCount(flags.seed, '--seed', { from: 0, to: 999_999_999 }),
    ...given('flakyWidth', readNumber(flags.flakyWidth, '--flaky-width', 0, 1000)),
    ...given('driftPercentPerTrial', readNumber(flags.drift, '--drift', -100, 100)),
    ...given('fatiguePercentPerOverload', readNumber(flags.fatigue, '--fatigue', 0, 100)),
    ...given('refusesAbove', readSize(flags.refusesAbove, '--refuses-above')),
    ...given('probeLimit', readSize(flags.probeLimit, '--probe-limit')),
    ...given('coldJoinMs', flags.coldJoin === undefined ? undefined : readDuration(flags.coldJoin, '--cold-join')),
    ...given('voidRate', readRate(flags.voidRate, '--void-rate')),
  };
}

function readCluster({ cluster, placement: name }: SimulationFlags): SimulatedServerPlan['cluster'] {
  const placement = readWord(name, '--placement', placements);
  if (cluster === undefined) return undefined;
  const capacities = cluster.split(',').map((capacity) => readCount(capacity, '--cluster'));
  if (capacities.length >= 2) return { capacities, placement };
  const todo = 'write the capacity of each of its servers: --cluster 2,3,5';
  throw new LoadlineError('E_USAGE', '--cluster is of two servers or more.', { where: '--cluster', todo });
}

function readSize(text: string | undefined, flag: string): number | undefined {
  return text === undefined ? undefined : readCount(text, flag);
}

/** 0, 1, or a share between them. */
function readRate(text: string | undefined, flag: string): number | undefined {
  const percent = text === undefined ? undefined : percentIn(text);
  return percent === undefined || percent > 100 ? readNumber(text, flag, 0, 1) : percent / 100;
}

function readNumber(text: string | undefined, flag: string, from: number, to: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^-?\d{1,6}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new LoadlineError('E_USAGE', `${flag} must be a number from ${from} to ${to}, not "${text}".`, {
    where: flag,
    todo: `write for example ${flag} ${Math.min(to, 2)}`,
  });
}
