import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import type { StudyPart } from '../../model/study.js';
import type { LevelAnswer, RecoveryAnswer } from '../study/beside-limit.js';
import { figureOf, type OverRounds } from '../study/rounds.js';
import type { CellAnswer, StudyAnswer, StudyTable } from '../study/study-answer.js';
import { compareText, numberNear, plural } from '../wording/wording.js';
import { delayText, figureText, intervalOf, limitText } from './study-words.js';
import { shortNameOf } from './trial-line.js';

/** A table beside that of the limits; a figure leads to the run that it comes from. */
export interface SideTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly SideCell[])[];
}

interface SideCell {
  readonly text: string;
  /** Of the run, from the folder of the study; absent: it is no figure of a run. */
  readonly path?: string;
}

/** What else was found of the servers of a table, as far as it was asked. */
export function besideTables(table: StudyTable, { parts }: Pick<StudyAnswer, 'parts'>): SideTable[] {
  return [
    ...(parts.includes('at-50') && table.cells.some(({ levels }) => levels.length > 0) ? [levelTable(table)] : []),
    ...(parts.includes('join-rate') || parts.includes('recovery') ? [joinTable(table, parts)] : []),
  ];
}

function levelTable({ load, cells, unit }: StudyTable): SideTable {
  return {
    title: `${load}: what participants had at half, four fifths and all of the limit`,
    head: ['server', 'of limit', unit.many, 'delay p95', 'noticed something', 'what'],
    rows: cells.flatMap(({ server, levels }) =>
      levels.map((level) => {
        const { percent, size, noticed, paths } = level;
        const figures = [
          `${percent} %`,
          numberNear(size.middle),
          delayText(level, ' ms') ?? '–',
          noticedText(level),
          noticed.what.slice(0, 3).map(shortNameOf).join(', ') || '–',
        ];
        return [{ text: server }, ...figures.map((text) => (text === '–' ? { text } : figure(text, paths)))];
      }),
    ),
  };
}

/** "nobody of 40", "3 of 40". What is of no single one of them is told by the trials. */
function noticedText({ noticed: { by, of }, noticedIn, trials }: LevelAnswer): string {
  if (noticedIn === 0) return `nobody of ${of}`;
  return by === 0 ? `in ${noticedIn} of ${plural(trials, 'trial')}` : `${by} of ${of}`;
}

function joinTable({ load, cells }: StudyTable, parts: readonly StudyPart[]): SideTable {
  const own = [
    ...(parts.includes('join-rate') ? (['joins a second', 'interval'] as const) : []),
    ...(parts.includes('recovery') ? (['answers after a kill in', 'first frames then'] as const) : []),
  ];
  return {
    title: `${load}: how fast people join, and how soon it is there again`,
    head: ['server', ...own],
    rows: cells.map((cell) => [{ text: cell.server }, ...own.map((column) => joinCells[column](cell))]),
  };
}

const joinCells = {
  'joins a second': ({ joinRate }: CellAnswer) => figure(joinRate && figureText(joinRate.perSecond), joinRate?.paths),
  interval: ({ joinRate }: CellAnswer) => figure(joinRate && intervalOf(joinRate.perSecond), joinRate?.paths),
  'answers after a kill in': ({ recovery }: CellAnswer) =>
    figure(recovery && `${numberNear(recovery.answersMs.middle)} ms`, recovery?.paths),
  'first frames then': ({ recovery }: CellAnswer) => figure(recovery && firstFrameText(recovery), recovery?.paths),
};

function firstFrameText({ firstFrameMs, notBack }: RecoveryAnswer): string {
  const missing = notBack.by === 0 ? [] : [`${notBack.by} of ${notBack.of} got nothing`];
  const never = notBack.by === 0 ? [] : ['p95 never'];
  const times = firstFrameMs ? [`p95 ${numberNear(firstFrameMs.middle)} ms`] : never;
  return [...times, ...missing].join('; ') || '–';
}

function figure(text: string | undefined, paths: readonly string[] = []): SideCell {
  const [path] = paths;
  return { text: text ?? '–', ...(text === undefined || path === undefined ? {} : { path }) };
}

/** The run whose value stands for the rounds; of two in the middle, the first that was as near. */
export function middleRun({ runs, limit }: CellAnswer): string | undefined {
  if (!limit) return undefined;
  const far = (stable: number | null) =>
    stable === null ? Number.POSITIVE_INFINITY : Math.abs(stable - figureOf(limit));
  const [nearest] = [...runs].sort((a, b) => far(a.stable) - far(b.stable));
  return nearest?.path;
}

/**
 * Limits of one scenario over its settings, a row for each server, in the order of the study file. Of scenarios that
 * were measured in one setting there is none.
 */
export function settingsMaps({ tables, over }: StudyAnswer): SideTable[] {
  return [...groupedBy(tables, ({ scenario }) => scenario)].flatMap(([scenario, own]) => {
    if (own.length < 2) return [];
    const rows = serversIn(own).map((server) => [
      { text: server },
      ...own.flatMap(({ cells }) =>
        cells
          .filter((one) => one.server === server)
          .map((cell) => {
            const path = middleRun(cell);
            return { text: limitText(cell), ...(path === undefined ? {} : { path }) };
          }),
      ),
    ]);
    const title = `${scenario}: ${own[0]?.unit.many ?? 'sessions'} by ${over?.key ?? 'setting'}`;
    return [
      { title, head: ['server', ...own.map(({ setting = '' }, nth) => String(over?.values[nth] ?? setting))], rows },
    ];
  });
}

function serversIn(tables: readonly StudyTable[]): string[] {
  return [...new Set(tables.flatMap(({ cells }) => cells.map(({ server }) => server)))].sort(compareText);
}

/** Limits over a number that settings vary; a line for each server. Between the points nothing was measured. */
export interface StudyCurve {
  readonly title: string;
  readonly key: string;
  readonly unit: string;
  readonly lines: readonly { readonly server: string; readonly points: readonly CurvePoint[] }[];
}

interface CurvePoint extends Pick<CellAnswer, 'highNotShown'> {
  readonly at: number;
  readonly limit: OverRounds;
}

export function studyCurves({ tables, over }: StudyAnswer): StudyCurve[] {
  if (!over?.values.every((value) => typeof value === 'number')) return [];
  return [...groupedBy(tables, ({ scenario }) => scenario)].map(([scenario, own]) => {
    const lines = serversIn(own).map((server) => ({
      server,
      points: own.flatMap(({ cells }, nth) => {
        const { limit, highNotShown } = cells.find((one) => one.server === server) ?? {};
        return limit ? [{ at: Number(over.values[nth]), limit, ...given({ highNotShown }) }] : [];
      }),
    }));
    const unit = own[0]?.unit.many ?? 'sessions';
    return { title: `${scenario}: ${unit} over ${over.key}`, key: over.key, unit, lines };
  });
}
