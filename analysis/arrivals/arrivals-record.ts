import {
  type ArrivalSecond,
  type ArrivalsRecord,
  type FailedJoins,
  heatLimitsMs,
  type TimeCounts,
} from '../../model/arrivals.js';
import type { ArrivedJoin, EndedStay } from '../../model/join.js';
import type { SignallingTraffic } from '../../model/signalling-traffic.js';
import type { TimeWindow } from '../measure/window.js';
import { sum } from '../statistics/statistics.js';
import { type Fate, fateOf, neverDescribed, waitedInVain } from './join-fate.js';
import { waitsInParts } from './queue-growth.js';
import { stormRecord } from './storm-record.js';
import { countsOf, percentileOf } from './time-histogram.js';

interface SeenArrivals {
  readonly sessionsPerSecond: number;
  readonly window: TimeWindow;
  /** When each participant of the trial was to join, by the schedule and not by what was told. */
  readonly dueMs: ReadonlyMap<string, number>;
  /** Those that were told, which is once each has been answered or has failed. */
  readonly joins: readonly ArrivedJoin[];
  readonly stays: readonly EndedStay[];
  /** Of each process whose timers were watched: a mean would hide the one that is always late. */
  readonly asleepMs: readonly (readonly number[])[];
  /** Who is due all at once, and when; absent: nobody is. */
  readonly storm?:
    | {
        readonly atMs: number;
        readonly participants: ReadonlySet<string>;
        /** All who are there lose their connections when it comes. */
        readonly losesAll: boolean;
      }
    | undefined;
  readonly traffic?: SignallingTraffic | undefined;
  /** Participants are browsers, which make descriptions. */
  readonly areBrowsers: boolean;
}

const mostFailures = 20;

/** What became of those who were due in the window. Pure. */
export function arrivalsRecord(seen: SeenArrivals): ArrivalsRecord {
  const { window, dueMs, stays } = seen;
  const isDue = (atMs: number) => atMs >= window.startMs && atMs < window.endMs;
  const due = [...dueMs.values()].filter(isDue).length;
  const joins = seen.joins.filter((join) => isDue(join.dueMs));
  const of = (fate: Fate) => joins.filter((join) => fateOf(join) === fate);
  const undescribed = seen.areBrowsers ? joins.filter(neverDescribed).length : 0;
  return {
    sessionsPerSecond: seen.sessionsPerSecond,
    due,
    begun: joins.filter(({ begunMs }) => begunMs !== undefined).length,
    answered: of('answered').length,
    refused: of('refused').length,
    stalled: of('stalled').length,
    ...(undescribed > 0 ? { undescribed } : {}),
    // One of which nothing was told failed, whatever befell it.
    failed: due - joins.length + of('failed').length,
    failures: failuresOf(joins),
    answer: countsOf(joins.flatMap(answerMs)),
    late: countsOf(joins.flatMap(({ begunMs, dueMs: at }) => (begunMs === undefined ? [] : begunMs - at))),
    asleep: latest(seen.asleepMs.map(countsOf)),
    steps: stepsOf(joins),
    ...mediaTimes(joins),
    ...(seen.storm ? {} : { waitsMs: waitsInParts(joins.flatMap(waited), window) }),
    seconds: secondsOf(seen),
    ...presentIn(seen),
    leftBadly: stays.filter(({ failure, endedMs }) => failure !== undefined && isDue(endedMs)).length,
    ...stormOf(seen),
    ...(seen.traffic ? { traffic: seen.traffic } : {}),
  };
}

/** Who still waits at the end took so long at least: to leave those out would make a server that stalls look quick. */
function answerMs(join: ArrivedJoin): readonly number[] {
  const { answeredMs, endedMs } = join;
  const fromMs = waitsFromMs(join);
  if (answeredMs !== undefined) return [answeredMs - fromMs];
  return fateOf(join) === 'stalled' ? [endedMs - fromMs] : [];
}

/** How long the server let somebody wait, whatever their own browser or the generator took. Who was refused did not. */
function waited(join: ArrivedJoin): { readonly dueMs: number; readonly waitMs: number }[] {
  const { dueMs, begunMs = dueMs, answeredMs, endedMs, servedMs } = join;
  const untilMs = answeredMs ?? (fateOf(join) === 'stalled' && !neverDescribed(join) ? endedMs : undefined);
  const waitMs = servedMs ?? (untilMs === undefined ? undefined : untilMs - begunMs);
  return waitMs === undefined ? [] : [{ dueMs, waitMs }];
}

/** A host whose clock has drifted begins some of them before they were due: nobody waited less for that. */
const waitsFromMs = ({ dueMs, begunMs = dueMs }: Pick<ArrivedJoin, 'dueMs' | 'begunMs'>): number =>
  Math.min(dueMs, begunMs);

function latest(all: readonly TimeCounts[]): TimeCounts {
  const p99 = (counts: TimeCounts) => percentileOf(counts, 99) ?? 0;
  return all.reduce((worst, one) => (p99(one) > p99(worst) ? one : worst), all[0] ?? countsOf([]));
}

function stormOf({ storm, joins, stays, window }: SeenArrivals): Pick<ArrivalsRecord, 'storm'> {
  if (!storm || storm.atMs >= window.endMs) return {};
  const record = stormRecord({ ...storm, joins, window });
  const there = stays.filter(({ inMs, outMs }) => inMs !== undefined && inMs < storm.atMs && outMs >= storm.atMs);
  return { storm: storm.losesAll ? { ...record, lost: there.length } : record };
}

/** Who joins as a browser is told apart by its descriptions, which take it time. */
const isBrowser = ({ describedMs, iceMs }: ArrivedJoin) => describedMs !== undefined || iceMs !== undefined;

function mediaTimes(joins: readonly ArrivedJoin[]): Pick<ArrivalsRecord, 'connected' | 'firstFrame' | 'served'> {
  if (!joins.some(isBrowser)) return {};
  const sinceDue = (to: 'connectedMs' | 'firstFrameMs') =>
    countsOf(
      joins.flatMap((join) => {
        const untilMs = join[to] ?? (waitedInVain(join) ? join.endedMs : undefined);
        return untilMs === undefined ? [] : untilMs - waitsFromMs(join);
      }),
    );
  return {
    connected: sinceDue('connectedMs'),
    firstFrame: sinceDue('firstFrameMs'),
    served: countsOf(joins.flatMap(servedMs)),
  };
}

/** One that stalled waited for the server, where it had asked it. */
function servedMs(join: ArrivedJoin): readonly number[] {
  if (join.servedMs !== undefined) return [join.servedMs];
  if (neverDescribed(join)) return [];
  return fateOf(join) === 'stalled' ? answerMs(join) : [];
}

type StepTime = Exclude<Extract<keyof ArrivedJoin, `${string}Ms`>, 'endedMs' | 'servedMs'>;

function stepsOf(joins: readonly ArrivedJoin[]): ArrivalsRecord['steps'] {
  const stalled = (join: ArrivedJoin) => fateOf(join) === 'stalled';
  const step = (from: StepTime, to: StepTime, isInVain = stalled) =>
    countsOf(
      joins.flatMap((join) => {
        // Who was waited for no longer was in this step for so long at least.
        const [start, end] = [join[from], join[to] ?? (isInVain(join) ? join.endedMs : undefined)];
        return start === undefined || end === undefined ? [] : end - start;
      }),
    );
  const first = { begin: step('dueMs', 'begunMs'), create: step('begunMs', 'createdMs') };
  if (!joins.some(isBrowser)) {
    return { ...first, offer: step('createdMs', 'answeredMs'), candidates: step('answeredMs', 'trickledMs') };
  }
  return {
    ...first,
    describe: step('createdMs', 'describedMs'),
    offer: step('describedMs', 'answeredMs'),
    ice: step('answeredMs', 'iceMs', waitedInVain),
    dtls: step('iceMs', 'connectedMs', waitedInVain),
    media: step('connectedMs', 'firstFrameMs', waitedInVain),
  };
}

function failuresOf(joins: readonly ArrivedJoin[]): readonly FailedJoins[] {
  const alike = new Map<string, FailedJoins>();
  for (const join of joins) {
    const how = fateOf(join);
    if (how === 'answered') continue;
    const detail = join.failure?.detail ?? 'nothing says why';
    // Names and numbers differ from one to the next; what went wrong does not.
    const key = `${how} ${detail.replaceAll(/[\w-]+/g, (word) => (/\d/.test(word) ? '#' : word))}`;
    const known = alike.get(key);
    alike.set(
      key,
      known ? { ...known, count: known.count + 1 } : { how, count: 1, participant: join.participant, detail },
    );
  }
  return [...alike.values()].sort((a, b) => b.count - a.count).slice(0, mostFailures);
}

/** What happened in each second, whoever was due then; the heat of a second is of those who were due in it. */
function secondsOf({ window, dueMs, joins }: SeenArrivals): readonly ArrivalSecond[] {
  const length = Math.ceil((window.endMs - window.startMs) / 1000);
  const rows = Array.from({ length }, () => ({
    ...{ due: 0, begun: 0, answered: 0, refused: 0, stalled: 0, failed: 0 },
    heat: Array.from({ length: heatLimitsMs.length + 1 }, () => 0),
  }));
  const rowAt = (atMs: number | undefined) =>
    atMs === undefined || atMs >= window.endMs ? undefined : rows[Math.floor((atMs - window.startMs) / 1000)];
  for (const atMs of dueMs.values()) count(rowAt(atMs), 'due');
  for (const join of joins) {
    const fate = fateOf(join);
    count(rowAt(join.begunMs), 'begun');
    count(rowAt(fate === 'answered' ? join.answeredMs : join.endedMs), fate);
    const heat = rowAt(join.dueMs)?.heat;
    const column = columnOf(join);
    if (heat) heat[column] = (heat[column] ?? 0) + 1;
  }
  return rows;
}

type Counted = Exclude<keyof ArrivalSecond, 'heat'>;

function count(row: Record<Counted, number> | undefined, name: Counted): void {
  if (row) row[name] += 1;
}

function columnOf({ answeredMs, dueMs }: ArrivedJoin): number {
  if (answeredMs === undefined) return heatLimitsMs.length;
  const column = heatLimitsMs.findIndex((limit) => answeredMs - dueMs <= limit);
  return column === -1 ? heatLimitsMs.length : column;
}

/**
 * Who was there in the window, all of a party answered and not begun to leave: in the mean, and the most at a time,
 * however short.
 */
function presentIn({ window: { startMs, endMs }, stays }: SeenArrivals) {
  const there = stays.flatMap(({ inMs, outMs }) =>
    inMs === undefined || inMs >= endMs || outMs <= startMs ? [] : { fromMs: inMs, untilMs: outMs },
  );
  const changes = there.flatMap(({ fromMs, untilMs }) => [
    { atMs: fromMs, by: 1 },
    { atMs: untilMs, by: -1 },
  ]);
  let [now, most] = [0, 0];
  // Who leaves as another comes makes room for it.
  for (const { by } of changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    now += by;
    most = Math.max(most, now);
  }
  const ms = sum(there.map(({ fromMs, untilMs }) => Math.min(untilMs, endMs) - Math.max(fromMs, startMs)));
  return { presentMean: endMs > startMs ? ms / (endMs - startMs) : 0, presentMax: most };
}
