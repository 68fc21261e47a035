import { decisionMoments } from '../../analysis/judge/early-verdict.js';
import { clearlyStable, firstClearMs } from '../../analysis/judge/screening.js';
import type { PacedTrial } from '../../analysis/search/pace.js';
import type { TrialOutcome } from '../../model/run.js';
import type { Margin } from '../../model/trial-cost.js';
import type { Used } from '../../model/used.js';
import { randomFrom } from '../../tests/random.js';
import { normal } from './noise.js';
import { drawServer, type PassCurve, passProbability } from './simulated-server.js';

type Random = () => number;

/** A server of which more is seen than verdicts: what a trial takes, and how near each value comes to its limit. */
export interface SampledServer {
  readonly tidy: PassCurve;
  /** What is read of a trial of this size; empty where nothing is. */
  readonly used: (size: number, trial: number, random: Random) => readonly Used[];
  /** Values go to their limits as this power of the size: 4 is gradual, 40 shows nothing before the limit. */
  readonly steepness: number;
  /** Of the trials that fail, the share in which nothing is wrong until all of a sudden. */
  readonly suddenShare: number;
  /** Values of the window say anything. */
  readonly lies: boolean;
  /** Of its capacity, the share that is left to a trial whose participants joined so fast; absent: all of it. */
  readonly leftAtPace?: (pacePerSecond: number) => number;
  /** Joined faster than this, answers take longer than in the first trial; absent: they never do. */
  readonly promptUpTo?: number;
}

export interface SampledRow {
  readonly name: string;
  readonly draw: (random: Random) => SampledServer;
}

/** A trial with what it took of the clock, and what it would have come to in full. */
export interface SampledTrial {
  readonly outcome: TrialOutcome;
  readonly seconds: number;
  readonly probeSeconds: number;
  /** Only of those that were screened: it would have failed in full. */
  readonly wronglyScreened: boolean;
  readonly paced: PacedTrial;
}

const measureMs = 60_000;
/** As on the stored runs of a Kurento: reset and leaving take so long together; a call has two probes. */
const aroundSeconds = 2;
export const probesPerUnit = 2;
const everyServer = { widestPercent: 10, evenChance: 'middle' } as const;

/** A server of a row, by its number, and the chance that its trials go on with: each is seeded by its own. */
export function seededServer({ name, draw }: SampledRow, number: number): { server: SampledServer; random: Random } {
  const random = randomFrom((number + 1) * 7919 + 977 * name.length);
  return { server: draw(random), random };
}

/** One trial. @param pacePerSecond at which probes join */
export function sampledTrial(
  server: SampledServer,
  step: { readonly size: number; readonly foresees?: 'stable' | 'unstable'; readonly screens?: true },
  past: {
    readonly trials: number;
    readonly pacePerSecond: number;
    readonly planPace: number;
    readonly settleSeconds: number;
  },
  random: Random,
): SampledTrial {
  const { size, foresees } = step;
  const { tidy } = server;
  const { settleSeconds } = past;
  const isVoid = random() < tidy.voidRate;
  const passes = random() < passProbability(atPace(server, past.pacePerSecond), size);
  const looks = looksOf(server, size, passes, random);
  const used = server.used(size, past.trials, random);
  const clearAt = step.screens && !isVoid ? clearMoment(looks) : undefined;
  const measured = clearAt ?? (passes || isVoid ? measureMs : looks.failedMs);
  const joinSeconds = (probesPerUnit * size) / past.pacePerSecond;
  const windowSeconds = measured / 1000;
  const hasty = past.pacePerSecond > past.planPace ? { hasty: true as const } : {};
  const said = { size, used, ...(foresees ? { foresees } : {}), ...hasty };
  const margins = [{ threshold: 'one', label: 'the worst', usedPercent: looks.whole }];
  const outcome: TrialOutcome = isVoid
    ? { size, verdict: 'void', probesExhausted: false, ...hasty }
    : clearAt !== undefined
      ? { ...said, margins: [marginAt(looks, clearAt)], verdict: 'stable', screened: true }
      : { ...said, margins, verdict: passes ? 'stable' : 'unstable' };
  const probes = probesPerUnit * size;
  return {
    outcome,
    seconds: aroundSeconds + joinSeconds + settleSeconds + windowSeconds,
    probeSeconds: probes * (joinSeconds / 2 + settleSeconds + windowSeconds),
    wronglyScreened: clearAt !== undefined && !passes,
    paced: {
      pacePerSecond: past.pacePerSecond,
      stable: outcome.verdict === 'stable',
      answersMs: past.pacePerSecond > (server.promptUpTo ?? Number.POSITIVE_INFINITY) ? 500 : 50,
    },
  };
}

function atPace({ tidy, leftAtPace }: SampledServer, pacePerSecond: number): PassCurve {
  const left = leftAtPace?.(pacePerSecond) ?? 1;
  return left === 1 ? tidy : { ...tidy, capacity: tidy.capacity * left, evenChanceAt: tidy.evenChanceAt * left };
}

interface Looks {
  /** How much of the limit is used over the first part of the window, in percent. */
  readonly at: (momentMs: number) => number;
  readonly whole: number;
  /** When it is past repair; the end of the window for one that passes. */
  readonly failedMs: number;
}

function looksOf(server: SampledServer, size: number, passes: boolean, random: Random): Looks {
  const { tidy, steepness, suddenShare, lies } = server;
  const calm = Math.min(95, 100 * (size / tidy.evenChanceAt) ** steepness * Math.exp(0.15 * normal(random)));
  const isSudden = !passes && random() < suddenShare;
  const whole = lies
    ? 10 + 60 * random()
    : passes
      ? calm
      : Math.max(102, 100 + Math.abs(20 * normal(random)) + calm / 2);
  const suddenMs = random() * measureMs;
  const wobble = normal(random);
  const steady = (momentMs: number) => whole * Math.exp(0.1 * wobble * Math.sqrt(measureMs / momentMs - 1));
  if (isSudden) {
    const before = lies ? whole : calm;
    return { at: (ms) => (ms < suddenMs ? before : 200), whole: 200, failedMs: momentAfter(suddenMs) };
  }
  return { at: steady, whole, failedMs: passes ? measureMs : momentAfter((measureMs * 100) / whole) };
}

/** Looked at so often; what is decided at the end takes the whole window. */
function momentAfter(ms: number): number {
  return decisionMoments(measureMs).find((moment) => moment >= ms + 2000) ?? measureMs;
}

function clearMoment(looks: Looks): number | undefined {
  const moments = decisionMoments(measureMs).filter((ms) => ms >= firstClearMs);
  return moments.slice(1).find((ms, index) => {
    const before = moments[index] ?? ms;
    return clearlyStable([marginAt(looks, before)], [marginAt(looks, ms)]) !== undefined;
  });
}

function marginAt(looks: Looks, momentMs: number): Margin {
  return { threshold: 'one', label: 'the worst', usedPercent: looks.at(momentMs) };
}

/** Cores; the server uses 85 to 100 % of them at its limit, and the first session some more than others. */
const cores = 4;

interface Curve {
  readonly noise: number;
  /** What so many sessions take, as multiples of what one more does. */
  readonly bend?: (size: number, even: number) => number;
  readonly perTrial?: number;
  /** What is said to be there, in multiples of what is. */
  readonly told?: (random: Random) => number;
  readonly capacities?: readonly [number, number];
}

function byCpu(
  { noise, bend = (size) => size, perTrial = 0, told, capacities = [1, 500] }: Curve,
  rest: Partial<SampledServer> = {},
) {
  return (random: Random): SampledServer => {
    const tidy = drawServer(random, { ...everyServer, capacities });
    const even = tidy.evenChanceAt;
    const atLimit = cores * (0.85 + 0.15 * random());
    const idle = 0.02 * random() * atLimit;
    const each = (atLimit - idle) / bend(even, even);
    const available = told ? cores * told(random) : cores;
    const used = (size: number, trial: number, chance: Random): Used[] => {
      const asked = (idle + each * bend(size, even)) * (1 + perTrial) ** trial * Math.exp(noise * normal(chance));
      return [{ what: 'server-cpu', amount: told ? asked : Math.min(cores, asked), available }];
    };
    return { tidy, used, steepness: 4 + 6 * random(), suddenShare: 0.2, lies: false, ...rest };
  };
}

/** At the limit no more than a part of what is there is used; what runs out is something else. */
const elsewhere = (random: Random) => 2 + 8 * random();
/** Away from the truth by 1.5 to 6 times, up or down. */
const anything = (random: Random) => (1.5 * 4 ** random()) ** (random() < 0.5 ? 1 : -1);

export const sampledRows: readonly SampledRow[] = [
  { name: 'linear', draw: byCpu({ noise: 0.03 }) },
  { name: 'small, linear', draw: byCpu({ noise: 0.03, capacities: [1, 19] }) },
  {
    name: 'knee',
    draw: byCpu({ noise: 0.03, bend: (size, even) => size + Math.max(0, size - 0.7 * even) }),
  },
  { name: 'step', draw: byCpu({ noise: 0.03, bend: (size, even) => Math.ceil(size / (even / 8)) * (even / 8) }) },
  { name: 'noise', draw: byCpu({ noise: 0.25 }) },
  { name: 'drift of what is read', draw: byCpu({ noise: 0.03, perTrial: 0.02 }) },
  { name: 'cliff elsewhere', draw: byCpu({ noise: 0.03, told: elsewhere }, { steepness: 40 }) },
  { name: 'nothing seen', draw: (random) => ({ ...byCpu({ noise: 0 })(random), used: () => [], steepness: 40 }) },
  { name: 'late answers', draw: byCpu({ noise: 0.03 }, { promptUpTo: 4 }) },
  { name: 'hurt by haste', draw: byCpu({ noise: 0.03 }, { leftAtPace: (pace) => (pace > 4 ? 0.7 : 1) }) },
  { name: 'lies', draw: byCpu({ noise: 0.1, told: anything }, { lies: true, suddenShare: 0.5 }) },
];
