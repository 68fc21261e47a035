import type { FinishedRun } from '../../model/finished-run.js';
import { heldLimit } from '../../model/run.js';
import { type FailedStep, type PlayedStep, probeCpusLabel, type Study, serverCpusLabel } from '../../model/study.js';
import { areChosen, checkRelease, type MarkedRun, type ReleaseCheck } from '../compare/release-check.js';
import { marksOf, noLimitOf } from '../compare/release-marks.js';
import { differentPlaces, differentPlan, isSameMachine } from '../compare/same-load.js';
import { lowest, median } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';
import { limitOf } from './beside-limit.js';
import { asEnded } from './precision.js';
import { type OverRounds, overRounds } from './rounds.js';

/** A study, and what it has measured. */
export interface MeasuredStudy {
  readonly study: Study;
  readonly played: readonly PlayedStep[];
  readonly failed?: readonly FailedStep[];
}

/** What got worse since an earlier study, cell by cell. */
export interface StudyAgainst {
  readonly earlier: { readonly name: string; readonly startedAt: string };
  /** Of calling anything worse though nothing changed, over all cells together. */
  readonly chance: number;
  readonly cells: readonly { readonly id: string; readonly check: ReleaseCheck }[];
  /** Cells that in some round of either study have no limit, or none that was reached: no check sees that round's. */
  readonly withoutLimit: readonly CellLimits[];
  /** Of cells with limits in both, those whose intervals meet, and those whose do not. */
  readonly intervals: { readonly meet: number; readonly of: number; readonly apart: readonly string[] };
  /** Why a cell is not compared, and what else is not alike; whole sentences. */
  readonly unlike: readonly string[];
  readonly kind: ReleaseCheck['kind'];
}

/** "20 in 6 of 6 rounds", "at least 12 in 1 of 6 rounds", "no limit: baseline-unstable". */
interface CellLimits {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** No round has a limit any more. */
  readonly isLost: boolean;
}

/**
 * Each cell by the check of releases, at its part of the chance of error (C. E. Bonferroni, 1936). All of the earlier
 * study came before this one, so it holds where runs do not depend on those before them.
 */
export function against(earlier: MeasuredStudy, later: MeasuredStudy): StudyAgainst {
  const { name, startedAt } = earlier.study;
  const { chance } = later.study;
  const inBoth = later.study.cells.filter(({ id }) => earlier.study.cells.some((cell) => cell.id === id));
  const limits = inBoth.map(({ id }) => ({ id, before: limitsOf(earlier, id), after: limitsOf(later, id) }));
  const both = limits.flatMap(({ id, before, after }) =>
    before.held > 0 && after.held > 0 ? [{ id, before: before.runs, after: after.runs }] : [],
  );
  const unlike = both.flatMap((cell) => {
    const text = whyApart(cell, earlier.study, later.study);
    return text === undefined ? [] : [{ id: cell.id, text }];
  });
  const alike = both.filter(({ id }) => !unlike.some((one) => one.id === id));
  const cells = alike.map(({ id, before, after }) => {
    const marked = (release: MarkedRun['release']) => (run: PlayedStep['run']) => ({
      release,
      marks: marksOf(run),
      noLimit: noLimitOf(run),
    });
    const runs = [...before.map(marked('before')), ...after.map(marked('after'))];
    return { id, check: checkRelease(runs, chance / alike.length) };
  });
  const inTurn = alike.map((cell) => ({ id: cell.id, meet: doMeet(cell) }));
  const apart = inTurn.filter(({ meet }) => meet === false).map(({ id }) => id);
  const meeting = inTurn.filter(({ meet }) => meet === true).length;
  const withoutLimit = limits
    .filter(({ before, after }) => !before.isWhole || !after.isWhole)
    .map(({ id, before, after }) => ({
      ...{ id, before: before.text, after: after.text },
      isLost: before.held > 0 && after.held === 0,
    }));
  const places = new Set(alike.flatMap(({ before, after }) => differentPlaces([...before, ...after])));
  const isWorse = cells.some(({ check }) => check.kind === 'worse');
  const areLost = withoutLimit.some(({ isLost }) => isLost) || cells.some(({ check }) => areChosen(check));
  const isShown = cells.some(({ check }) => check.kind === 'none-worse') && !areLost;
  return {
    earlier: { name, startedAt },
    chance,
    cells,
    withoutLimit,
    intervals: { meet: meeting, of: meeting + apart.length, apart },
    unlike: [...unlike.map(({ text }) => text), ...[...places].map((text) => `Not the same then and now: ${text}.`)],
    kind: isWorse ? 'worse' : isShown ? 'none-worse' : 'unknown',
  };
}

interface CellRuns {
  readonly id: string;
  readonly before: readonly FinishedRun[];
  readonly after: readonly FinishedRun[];
}

/** Why a cell of two studies is not compared; undefined: it is. */
function whyApart({ id, before, after }: CellRuns, earlier: Study, later: Study): string | undefined {
  const [first] = before;
  const other = differentPlan([...before, ...after]);
  if (other) return `${id} is not compared: ${other.label} is another (${[...new Set(other.values)].join(', ')}).`;
  const areKnownApart = (one?: string, two?: string) => Boolean(one && two) && one !== two;
  const isGivenOther =
    areKnownApart(givenIn(earlier, id), givenIn(later, id)) ||
    [serverCpusLabel, probeCpusLabel].some((label) => areKnownApart(labelled(before, label), labelled(after, label)));
  return isGivenOther || (first && !after.every((run) => isSameMachine(first, run)))
    ? `${id} is not compared: it was measured on another machine, or the server was given something else.`
    : undefined;
}

/** Undefined where one of them has none. */
function doMeet({ before, after }: CellRuns): boolean | undefined {
  const [one, other] = [before, after].map((runs) => overRounds(runs.flatMap((run) => limitOf(run) ?? [])));
  if (!one || !other) return undefined;
  const isBelow = (a: OverRounds, b: OverRounds) => a.high !== null && a.high < b.low;
  return !isBelow(one, other) && !isBelow(other, one);
}

/** What a study gave the server of a cell: runs do not see all of it. */
function givenIn({ cells, servers }: Study, id: string) {
  const own = cells.find((cell) => cell.id === id);
  const server = servers?.find(({ name }) => name === own?.server);
  return server && `${server.cores} ${server.memoryBytes}`;
}

/** All that runs have under a label; empty: nothing. */
function labelled(runs: readonly FinishedRun[], label: string): string {
  return [...new Set(runs.flatMap(({ manifest }) => manifest.labels?.[label] ?? []))].sort().join();
}

/** What a study found of a cell, and why rounds of it have no limit. */
function limitsOf({ study, played, failed = [] }: MeasuredStudy, id: string) {
  const { rounds } = asEnded(study, played);
  const isOurs = ({ cell, part }: Pick<FailedStep, 'cell' | 'part'>) => cell === id && part === 'limit';
  const runs = played.filter(isOurs).map(({ run }) => run);
  const held = runs.filter(({ answer }) => heldLimit(answer) !== undefined);
  const others = runs.filter((run) => !held.includes(run)).map(({ answer }) => answer.outcome);
  const whys = failed.filter(isOurs).map(({ why }) => why.replace(/\.$/, ''));
  const reasons = [...others, ...whys, ...(runs.length + whys.length < rounds ? ['not made'] : [])];
  const open = held.filter((run) => marksOf(run).limit === undefined);
  const known = held.filter((run) => !open.includes(run));
  const inRounds = (figure: string, own: readonly unknown[]) =>
    own.length === 0 ? [] : [`${figure} in ${own.length} of ${plural(rounds, 'round')}`];
  const sizes = (own: typeof held) => own.map(({ answer }) => answer.stable);
  const text = [
    ...inRounds(numberNear(median(sizes(known)) ?? 0), known),
    ...inRounds(`at least ${numberNear(lowest(sizes(open)) ?? 0)}`, open),
    ...(reasons.length === 0 ? [] : [`no limit: ${[...new Set(reasons)].join(', ')}`]),
  ].join('; ');
  return { runs, held: held.length, isWhole: reasons.length === 0 && open.length === 0, text };
}
