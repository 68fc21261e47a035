import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import { comeAndGo } from '../../model/load.js';
import { isSimulated } from '../../model/plan.js';
import { type HostFacts, namesNoLimit } from '../../model/run.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import {
  blockOf,
  type FailedStep,
  type PlayedStep,
  type StudiedServer,
  type Study,
  type StudyCell,
  type StudyPart,
} from '../../model/study.js';
import type { TrialRecord } from '../../model/trial.js';
import { marksOf } from '../compare/release-marks.js';
import type { ServerExhaustion } from '../measure/exhaustion.js';
import { serverExhaustions } from '../measure/server-load.js';
import { passesAt } from '../measure/trials-at.js';
import { besideOf, probesMbps } from '../measure/unit-traffic.js';
import { median } from '../statistics/statistics.js';
import {
  type DelayAnswer,
  delayBoundOf,
  delayOf,
  type JoinRateAnswer,
  joinRateOf,
  type LevelAnswer,
  levelsOf,
  limitOf,
  type RecoveryAnswer,
  recoveryOf,
  shownLimitOf,
} from './beside-limit.js';
import { unlikeSentences } from './fairness.js';
import { asEnded, endedAfter, mostSure } from './precision.js';
import { placesOf, type Ranks, ranksOf } from './ranks.js';
import { figureOf, type OverRounds, overNumbers, overRounds } from './rounds.js';

/** What one server holds under one load, and the delay at its limit. What was not measured is absent. */
export interface CellAnswer extends DelayAnswer {
  readonly id: string;
  readonly server: string;
  /** As it calls itself, its version with it; of rounds on several versions, each. */
  readonly product?: string;
  readonly limit?: OverRounds;
  /** Rounds in which the probes ran out, or the search ended, before the server did: the limit is at least so much. */
  readonly openRounds: number;
  /** Rounds in which no time was left to repeat what was tried last. */
  readonly cutShortRounds: number;
  /** The upper end of the limit rests on such rounds: it was seen, and not shown. Who is ranked by it is told so. */
  readonly highNotShown?: true;
  /** Best and worst place that what was shown allows; absent without a limit. */
  readonly places?: readonly [number, number];
  /** Of the server, for one more session. */
  readonly cores?: OverRounds;
  readonly memoryMb?: OverRounds;
  /** Payload that all participants of one session receive, kbit/s, at the limit. */
  readonly egressKbps?: OverRounds;
  /** What the server had no more of above its limit, and in how many rounds. */
  readonly ranOut: readonly { readonly what: ServerExhaustion['what']; readonly rounds: number }[];
  /** At half, four fifths and all of the limit; where nothing but the limit is asked, at the limit alone. */
  readonly levels: readonly LevelAnswer[];
  readonly joinRate?: JoinRateAnswer;
  readonly recovery?: RecoveryAnswer;
  /** The server exists in numbers only. */
  readonly simulated?: true;
  /** Those that found its limit. */
  readonly runs: readonly CellRun[];
  readonly failed: readonly { readonly round: number; readonly part: StudyPart; readonly why: string }[];
}

interface CellRun {
  readonly round: number;
  /** From the folder of the study. */
  readonly path: string;
  readonly outcome: string;
  /** Null where it names no limit. */
  readonly stable: number | null;
  readonly unstable: number | null;
  /** The server did not end it, or its upper end was not shown: its limit is so much or more. */
  readonly atLeast?: number;
}

/** Servers under the same load. */
export interface StudyTable {
  readonly load: string;
  readonly scenario: string;
  readonly setting?: string;
  readonly unit: ScenarioUnit;
  /** The one that holds most first. */
  readonly cells: readonly CellAnswer[];
  readonly ranks: Ranks;
  /** What was not the same for all of them, and what disturbs the comparison; whole sentences. */
  readonly unlike: readonly string[];
}

export interface StudyAnswer {
  readonly format: 1;
  readonly name: string;
  readonly startedAt: string;
  readonly rounds: number;
  readonly seed: number;
  readonly chance: number;
  /** What was asked, each way from the middle, and whether it ended the study; `rounds` are those that it has then. */
  readonly precision?: { readonly asked: number; readonly reached: boolean };
  /** What the settings vary, in their order; absent: they were named one by one. */
  readonly over?: NonNullable<Study['over']>;
  /** Runs of each cell in a round. */
  readonly parts: readonly StudyPart[];
  readonly servers?: readonly StudiedServer[];
  readonly tables: readonly StudyTable[];
  /** Of the first run; where others differ, their table says so. Absent without a run. */
  readonly place?: Pick<HostFacts, 'cores' | 'cpuModel' | 'memoryMb' | 'kernel' | 'os'> & {
    readonly loadline: string;
    readonly chromium: string;
  };
}

export function studyAnswer(
  study: Study,
  played: readonly PlayedStep[],
  failed: readonly FailedStep[] = [],
): StudyAnswer {
  const { cells, question: _, precision: asked, ...told } = asEnded(study, played);
  const seen = { played, failed, servers: told.servers, mostSure: mostSure(study) };
  const tables = [...groupedBy(cells, blockOf)].map(([load, own]) => tableOf(load, own, told.chance, seen));
  const precision = asked === undefined ? undefined : { asked, reached: endedAfter(study, played) !== undefined };
  return { ...given(told), tables, ...given({ place: played[0] && placeOf(played[0]), precision }) };
}

function placeOf({ run: { manifest } }: PlayedStep): NonNullable<StudyAnswer['place']> {
  const { cores, cpuModel, memoryMb, kernel, os } = manifest.host;
  const { loadline, chromium } = manifest;
  return { cores, cpuModel, memoryMb, kernel, os, loadline, chromium: chromium.version };
}

interface Seen {
  readonly played: readonly PlayedStep[];
  readonly failed: readonly FailedStep[];
  readonly servers: readonly StudiedServer[] | undefined;
  readonly mostSure: number;
}

function tableOf(load: string, cells: readonly StudyCell[], chance: number, seen: Seen): StudyTable {
  const own = cells.map((cell) => ({ cell, played: seen.played.filter((one) => one.cell === cell.id) }));
  const told = own.map(({ cell, played }) => {
    const values = ofLimit(played).flatMap(({ run }) => limitOf(run) ?? []);
    const shown = overRounds(ofLimit(played).flatMap(({ run }) => shownLimitOf(run) ?? []));
    return { cell, played, values, limit: overRounds(values, seen.mostSure), shown };
  });
  const ranks = ranksOf(
    told.map(({ cell, values, limit }) => ({ server: cell.server, values, limit })),
    chance,
  );
  // One without an answer may hold more than any.
  const servers = cells.map(({ server }) => server);
  const answers = told.map(({ cell, played, values, limit, shown }): CellAnswer => {
    const { id, server } = cell;
    const failed = seen.failed.filter((one) => one.cell === id).map(({ round, part, why }) => ({ round, part, why }));
    return {
      ...cellAnswer(cell, played, seen.mostSure),
      ...given({ limit, places: limit && placesOf(server, servers, ranks) }),
      openRounds: values.filter(({ high }) => high === null).length,
      cutShortRounds: ofLimit(played).filter(({ run }) => run.answer.cutShort).length,
      ...given({ highNotShown: limit && shown?.high !== limit.high ? (true as const) : undefined }),
      failed,
    };
  });
  const [first] = cells;
  return {
    load,
    scenario: first?.scenario ?? load,
    ...given({ setting: first?.setting }),
    unit: own.flatMap(({ played }) => played[0]?.run.manifest.unit ?? [])[0] ?? { one: 'session', many: 'sessions' },
    cells: answers.sort((a, b) => heldBy(b) - heldBy(a)),
    ranks,
    unlike: unlikeSentences(
      own.map(({ cell: { server }, played }) => ({
        server,
        runs: ofLimit(played).map(({ run }) => run),
        ...given({ given: seen.servers?.find(({ name }) => name === server) }),
      })),
    ),
  };
}

const heldBy = ({ limit }: CellAnswer): number => (limit ? figureOf(limit) : -1);

const ofLimit = (played: readonly PlayedStep[]) => played.filter(({ part }) => part === 'limit');

function cellAnswer({ id, server }: StudyCell, all: readonly PlayedStep[], most: number) {
  const played = ofLimit(all);
  const over = (of: (run: PlayedStep['run']) => number | undefined) => {
    const values = played.flatMap(({ run }) => of(run) ?? []);
    return overNumbers(values, most);
  };
  const ranOut = groupedBy(
    played.flatMap(({ run }) => [...new Set(serverExhaustions(run, failedSizes(run)).map(({ what }) => what))]),
    (what) => what,
  );
  return {
    id,
    server,
    ...given({
      product: [...new Set(played.map(({ run }) => run.manifest.server.name))].join(' and ') || undefined,
      simulated: played[0] && isSimulated(played[0].run.manifest.plan.server) ? (true as const) : undefined,
      cores: over((run) => marksOf(run).cores),
      memoryMb: over((run) => marksOf(run).memory),
      egressKbps: over(egressOf),
      delayMs: over((run) => delayOf(heldAtLimit(run))),
      delayBoundMs: delayBoundOf(played.flatMap(({ run }) => heldAtLimit(run))),
      joinRate: joinRateOf(all, most),
      recovery: recoveryOf(all, most),
    }),
    levels: levelsOf(all, most),
    ranOut: [...ranOut].map(([what, rounds]) => ({ what, rounds: rounds.length })),
    runs: played.map(({ round, path, run }): CellRun => {
      const { outcome, stable, unstable } = run.answer;
      const { low, high } = shownLimitOf(run) ?? {};
      const told = { round, path, outcome, stable: namesNoLimit(outcome) ? null : stable, unstable };
      return { ...told, ...given({ atLeast: high === null ? low : undefined }) };
    }),
  };
}

function failedSizes({ answer }: PlayedStep['run']): number[] {
  return [...new Set([...answer.flaky, ...(answer.unstable === null ? [] : [answer.unstable])])];
}

function heldAtLimit({ records, answer }: PlayedStep['run']): TrialRecord[] {
  return namesNoLimit(answer.outcome) ? [] : passesAt(records, answer.stable);
}

/**
 * As the participants counted it: without headers, and without what was lost on the way. Who is beside those whom a
 * size counts is not among them. Where people come and go, a size says nothing of how many are there.
 */
function egressOf(run: PlayedStep['run']): number | undefined {
  const { plan, unit = { one: 'session', many: 'sessions' } } = run.manifest;
  if (comeAndGo(plan.load)) return undefined;
  const received = heldAtLimit(run).flatMap((trial) => {
    const mbps = probesMbps(trial, 'receive', besideOf(trial, unit));
    return mbps === undefined || trial.streams.every(({ direction }) => direction === 'send')
      ? []
      : (1000 * mbps) / trial.size;
  });
  return median(received);
}
