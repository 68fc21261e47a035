import type { PlayedStep, Study } from '../../model/study.js';
import { checkRelease, type MarkedRun, type ReleaseCheck } from '../compare/release-check.js';
import { marksOf } from '../compare/release-marks.js';
import { differentPlaces, differentPlan, isSameMachine } from '../compare/same-load.js';

/** A study, and what it has measured. */
export interface MeasuredStudy {
  readonly study: Study;
  readonly played: readonly PlayedStep[];
}

/** What got worse since an earlier study, cell by cell. */
export interface StudyAgainst {
  readonly earlier: { readonly name: string; readonly startedAt: string };
  /** Of calling anything worse though nothing changed, over all cells together. */
  readonly chance: number;
  readonly cells: readonly { readonly id: string; readonly check: ReleaseCheck }[];
  /** Why a cell is not compared, and what else is not alike; whole sentences. */
  readonly unlike: readonly string[];
  readonly kind: ReleaseCheck['kind'];
}

/**
 * Each cell by the check of releases, at its part of the chance of error (C. E. Bonferroni, 1936). All of the earlier
 * study came before this one, so it holds where runs do not depend on those before them.
 */
export function against(earlier: MeasuredStudy, later: MeasuredStudy): StudyAgainst {
  const { name, startedAt } = earlier.study;
  const { chance } = later.study;
  const both = later.study.cells.flatMap(({ id }) => {
    const of = ({ played }: MeasuredStudy) =>
      played.filter(({ cell, part }) => cell === id && part === 'limit').map(({ run }) => run);
    const [before, after] = [of(earlier), of(later)];
    return before.length > 0 && after.length > 0 ? [{ id, before, after }] : [];
  });
  const unlike = both.flatMap(({ id, before, after }) => {
    const [first] = before;
    const other = differentPlan([...before, ...after]);
    if (other)
      return [
        { id, text: `${id} is not compared: ${other.label} is another (${[...new Set(other.values)].join(', ')}).` },
      ];
    if (first && !after.every((run) => isSameMachine(first, run)))
      return [
        {
          id,
          text: `${id} is not compared: it was measured on another machine, or the server was given something else.`,
        },
      ];
    return [];
  });
  const alike = both.filter(({ id }) => !unlike.some((one) => one.id === id));
  const cells = alike.map(({ id, before, after }) => {
    const marked = (release: MarkedRun['release']) => (run: PlayedStep['run']) => ({ release, marks: marksOf(run) });
    const runs = [...before.map(marked('before')), ...after.map(marked('after'))];
    return { id, check: checkRelease(runs, chance / alike.length) };
  });
  const places = new Set(alike.flatMap(({ before, after }) => differentPlaces([...before, ...after])));
  const isWorse = cells.some(({ check }) => check.kind === 'worse');
  return {
    earlier: { name, startedAt },
    chance,
    cells,
    unlike: [...unlike.map(({ text }) => text), ...[...places].map((text) => `Not the same then and now: ${text}.`)],
    kind: isWorse ? 'worse' : cells.some(({ check }) => check.kind === 'none-worse') ? 'none-worse' : 'unknown',
  };
}
