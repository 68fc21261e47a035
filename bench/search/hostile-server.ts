import type { Noticed } from '../../model/answer-parts.js';
import type { TrialOutcome } from '../../model/run.js';
import { normal } from './noise.js';
import { drawServer, type PassCurve, passProbability } from './simulated-server.js';

type Random = () => number;
type History = readonly TrialOutcome[];

/** Who noticed something in a trial of this size that is overloaded, or is not; nobody: it passes. */
export type Crowd = (size: number, isOverloaded: boolean, random: Random) => Noticed;

/** A server that does what no tidy model does; its chances may hang on the trials that it has behind it. */
export interface HostileServer {
  /** The chance that the next trial of this size passes. */
  readonly chance: (size: number, past: History) => number;
  /** The same without what befalls trials of any size: what "truly stable" is judged by, in the last trial. */
  readonly truth: (size: number, past: History) => number;
  /** What a passed trial of this size costs the server, cores; absent where nothing can be read. */
  readonly cores?: (size: number, past: History) => number;
  /** In so large a share of the trials the probe side is disturbed, whatever comes of them: failures are void. */
  readonly disturbedShare?: number;
  /** Passes of disturbed trials are believed as others are: what the search did once. */
  readonly believesDisturbed?: boolean;
  /** Who notices something; absent: it is not counted. */
  readonly crowd?: Crowd;
}

export interface HostileRow {
  readonly name: string;
  readonly draw: (random: Random) => HostileServer;
  readonly servers: number;
  /** Whether it is right to call these drifting. */
  readonly drifts: boolean;
  /** Up to which size is searched; absent: 2048. */
  readonly max?: number;
}

const largestCapacity = 500;
const everyServer = { capacities: [1, largestCapacity], widestPercent: 10, evenChance: 'middle' } as const;
const servers = 2000;
/** Void trials by accident are measured by the other tables; here they would only blur what is looked for. */
const tidy = (random: Random): PassCurve => drawServer(random, everyServer);

/** The chance to pass a size when the capacity has shrunk to this share. */
const shrunk = (server: PassCurve, size: number, share: number) => {
  const { capacity, evenChanceAt } = server;
  return passProbability({ ...server, capacity: capacity * share, evenChanceAt: evenChanceAt * share }, size);
};

const still = (chance: (size: number) => number): HostileServer => ({ chance, truth: chance });
const steadyRow = (name: string, draw: (random: Random) => HostileServer, count = servers): HostileRow => ({
  name,
  draw,
  servers: count,
  drifts: false,
});

function badLuck(share: number) {
  return (random: Random): HostileServer => {
    const server = tidy(random);
    return still((size) => (1 - share) * passProbability(server, size));
  };
}

/** Three trials in a row fail in each fifteen, whatever their size. */
function spells(random: Random): HostileServer {
  const server = tidy(random);
  const starts = Array.from({ length: 20 }, (_, index) => 15 * index + Math.floor(random() * 13));
  const truth = (size: number) => passProbability(server, size);
  const isBad = (trial: number) => starts.some((start) => trial >= start && trial < start + 3);
  return { truth, chance: (size, past) => (isBad(past.length) ? 0 : truth(size)) };
}

/** One size, at most six tenths of the limit, always fails; mostly a size that doubling tries. */
function oneBadSize(random: Random): HostileServer {
  const server = drawServer(random, { ...everyServer, capacities: [4, largestCapacity] });
  const doubled = [2, 4, 8, 16, 32, 64, 128, 256].filter((size) => size <= 0.6 * server.capacity);
  const any = 2 + Math.floor(random() * 0.5 * server.capacity);
  const bad = random() < 0.7 ? (doubled[Math.floor(random() * doubled.length)] ?? any) : any;
  return still((size) => (size === bad ? 0 : passProbability(server, size)));
}

/** 80 to 20 % within 8 % of the size: so far is 1.68 standard deviations. */
function probit(random: Random): HostileServer {
  const even = capacityOf(random) + 0.5;
  const deviation = (0.08 * even) / 1.683;
  return still((size) => normalShare((even - size) / deviation));
}

/** Slowly from sure to even over 8 % of the size on one side, and at once on the other. */
function slowBelow(random: Random): HostileServer {
  const even = capacityOf(random) + 0.5;
  return still((size) => (size > even ? 0 : Math.min(1, 0.5 + (0.5 * (even - size)) / (0.08 * even))));
}

function slowAbove(random: Random): HostileServer {
  const even = capacityOf(random) + 0.5;
  return still((size) => (size < even ? 1 : Math.max(0, 0.5 - (0.5 * (size - even)) / (0.08 * even))));
}

/** Its capacity wanders by 3 % (standard deviation), each trial a third of the way back; truth is the mean. */
function movingKnee(random: Random): HostileServer {
  const server = tidy(random);
  const shares: number[] = [];
  for (let off = 0; shares.length < 200; ) {
    off = 0.7 * off + 0.03 * Math.sqrt(1 - 0.49) * normal(random);
    shares.push(1 + off);
  }
  const truth = (size: number) => shares.reduce((sum, share) => sum + shrunk(server, size, share), 0) / shares.length;
  return { truth, chance: (size, past) => shrunk(server, size, shares[past.length] ?? 1) };
}

/** The capacity falls by this much of itself when fresh with each trial. */
function drift(percent: number, isRead: boolean) {
  return (random: Random): HostileServer => {
    const server = tidy(random);
    const share = (past: History) => Math.max(0.001, 1 - (percent / 100) * past.length);
    const truth = (size: number, past: History) => shrunk(server, size, share(past));
    if (!isRead) return { truth, chance: truth };
    const cores = (size: number, past: History) => (0.02 * size * (1 + 0.05 * normal(random))) / share(past);
    return { truth, chance: truth, cores };
  };
}

/** Each session that ever came takes so much of what is left, for good; small servers of 2 to 12 sessions. */
function leak(percent: number) {
  return (random: Random): HostileServer => {
    const server = drawServer(random, { ...everyServer, capacities: [2, 12] });
    const truth = (size: number, past: History) =>
      shrunk(server, size, (1 - percent / 100) ** past.reduce((opened, trial) => opened + trial.size, size));
    return { truth, chance: truth };
  };
}

/** Each overload costs a fifth of what is left. */
function fatigue(random: Random): HostileServer {
  const server = tidy(random);
  const truth = (size: number, past: History) =>
    shrunk(
      server,
      size,
      past.reduce((share, trial) => (trial.size > server.capacity * share ? 0.8 * share : share), 1),
    );
  return { truth, chance: truth };
}

/** Logistic: from 80 to 20 % within so much of the size. */
function logistic(even: number, percent: number) {
  const width = Math.log(1 + percent / 100) / (2 * Math.log(4));
  return (size: number) => 1 / (1 + Math.exp(Math.log(size / even) / width));
}

function softEdge(percent: number) {
  return (random: Random): HostileServer => still(logistic(capacityOf(random) + 0.5, percent));
}

/** From this part of its capacity on it passes this share of trials only. */
const plateau = (share: number, from: number) => (random: Random) => {
  const even = capacityOf(random) + 0.5;
  const edge = logistic(even, 2);
  return still((size) => (size > from * even ? share : 1) * edge(size));
};

/** In this share of trials it carries seven tenths of what it carries in the others. */
function slowMode(share: number) {
  return (random: Random): HostileServer => {
    const even = capacityOf(random) + 0.5;
    const [fast, slow] = [logistic(even, 2), logistic(0.7 * even, 2)];
    return still((size) => share * slow(size) + (1 - share) * fast(size));
  };
}

/** Once overloaded it carries three quarters, until a trial passes. */
function hysteresis(random: Random): HostileServer {
  const even = capacityOf(random) + 0.5;
  const [rested, tired] = [logistic(even, 2), logistic(0.75 * even, 2)];
  return { truth: rested, chance: (size, past) => (past.at(-1)?.verdict === 'unstable' ? tired : rested)(size) };
}

/** Edges that are wide, or two, or hang on the trial before: here no search is sure, and the table says how unsure. */
export const wideRows: readonly HostileRow[] = [
  steadyRow('logistic fall, 20 % wide', softEdge(20), 1000),
  steadyRow('logistic fall, 40 % wide', softEdge(40), 1000),
  steadyRow('bad luck, 10 % of trials', badLuck(0.1), 1000),
  steadyRow('a slow mode, 15 % of trials', slowMode(0.15), 1000),
  steadyRow('a slow mode, 30 % of trials', slowMode(0.3), 1000),
  steadyRow('a plateau of 70 %', plateau(0.7, 0.5), 1000),
  steadyRow('hysteresis, 25 %', hysteresis, 1000),
  steadyRow('30 % pass, of any size', plateau(0.3, 0), 1000),
  steadyRow('50 % pass, of any size', plateau(0.5, 0), 1000),
];

/** Logistic: from 80 to 20 % within 10 % of the size. */
function disturbedEdge(disturbedShare: number, believesDisturbed: boolean) {
  return (random: Random): HostileServer => {
    const chance = logistic(capacityOf(random) + 0.5, 10);
    return { ...still(chance), disturbedShare, believesDisturbed };
  };
}

/** The probe side is disturbed, which does nothing to the server: what failures that are discarded make of a limit. */
export const disturbedRows: readonly HostileRow[] = [0, 0.6, 0.8].flatMap((share) =>
  [true, false].flatMap((believed) => {
    const name = `${100 * share} % of trials disturbed${believed ? ', passes believed' : ''}`;
    return share === 0 && believed ? [] : [{ name, draw: disturbedEdge(share, believed), servers: 500, drifts: false }];
  }),
);

export const hostileRows: readonly HostileRow[] = [
  steadyRow(
    'steady',
    (random) => {
      const server = tidy(random);
      return still((size) => passProbability(server, size));
    },
    4000,
  ),
  steadyRow('steady, CPU read', drift(0, true), 4000),
  steadyRow('bad luck, 2 % of trials', badLuck(0.02)),
  steadyRow('bad luck, 5 % of trials', badLuck(0.05)),
  steadyRow('bad spells, 3 trials in 15', spells),
  steadyRow('one bad size', oneBadSize),
  steadyRow('probit fall, 8 % wide', probit),
  steadyRow('slow fall below', slowBelow),
  steadyRow('slow fall above', slowAbove),
  steadyRow('a knee that moves by 3 %', movingKnee),
  ...[1, 2, 5].flatMap((percent): HostileRow[] => [
    { name: `drift, ${percent} % a trial`, draw: drift(percent, false), servers, drifts: true },
    { name: `drift, ${percent} % a trial, CPU read`, draw: drift(percent, true), servers, drifts: true },
  ]),
  { name: 'fatigue, 20 % an overload', draw: fatigue, servers, drifts: true },
  ...[2, 5, 10, 20].map((n) => ({ name: `leak, ${n} % a session`, draw: leak(n), servers, drifts: true })),
];

function capacityOf(random: Random): number {
  return 1 + Math.floor(random() * largestCapacity);
}

/** The normal distribution's cumulative share, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const terms = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const tail = 0.3989422804 * Math.exp((-z * z) / 2) * terms.reduce((sum, term) => (sum + term) * t, 0);
  return z > 0 ? 1 - tail : tail;
}
