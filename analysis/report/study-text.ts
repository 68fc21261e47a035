import { highest } from '../statistics/statistics.js';
import type { LevelAnswer } from '../study/beside-limit.js';
import { figureOf } from '../study/rounds.js';
import type { CellAnswer, StudyAnswer, StudyTable } from '../study/study-answer.js';
import { inColumns, wrap } from './layout.js';
import { table } from './markdown-table.js';
import { csvLine } from './samples-csv.js';
import { besideTables, type SideTable, settingsMaps } from './study-beside.js';
import {
  cellTexts,
  intervalSentences,
  missingSentences,
  rankSentences,
  studyHead,
  studyHeadline,
  studyNumbers,
} from './study-words.js';

/** For a terminal of so many columns: tables where they fit, else a line for each server and its figures. */
export function studyText(answer: StudyAnswer, columns = 80): string {
  const width = Math.max(40, Math.min(80, columns));
  return [
    '',
    ...wrap(studyHeadline(answer), 2, width, 2),
    '',
    ...answer.tables.flatMap((one) => [
      ...wrap(titleOf(one), 2, width, 2),
      ...rowsOf(one, width),
      ...sentencesOf(one, answer).flatMap((sentence) => wrap(sentence, 4, width, 2)),
      '',
      ...besideTables(one, answer).flatMap((beside) => sideText(beside, width)),
    ]),
    ...settingsMaps(answer).flatMap((map) => sideText(map, width)),
  ].join('\n');
}

/** A table where it fits, else a line for each row. */
function sideText({ title, head, rows }: SideTable, width: number): string[] {
  const cells = rows.map((row) => row.map(({ text }) => text));
  const lines = inColumns([head, ...cells], 4, (column) => column > 0);
  const pairs = cells.map(
    ([server = '', ...figures]) =>
      `${server}  ${figures.map((figure, nth) => `${head[nth + 1]} ${figure}`).join('; ')}`,
  );
  const fits = lines.every((line) => line.length <= width);
  return [...wrap(title, 2, width, 2), ...(fits ? lines : pairs.flatMap((text) => wrap(text, 4, width, 2))), ''];
}

export function studyMarkdown(answer: StudyAnswer): string {
  return [
    `## ${studyHeadline(answer)}`,
    '',
    ...answer.tables.flatMap((one) => {
      const { head, rows } = usedColumns(one);
      return [
        `### ${titleOf(one)}`,
        '',
        ...table(head, rows),
        '',
        ...sentencesOf(one, answer).map((sentence) => `- ${sentence}`),
        '',
        ...besideTables(one, answer).flatMap(sideMarkdown),
      ];
    }),
    ...settingsMaps(answer).flatMap(sideMarkdown),
  ].join('\n');
}

function sideMarkdown({ title, head, rows }: SideTable): string[] {
  const texts = rows.map((row) => row.map(({ text }) => text));
  return [`### ${title}`, '', ...table(head, texts), ''];
}

const csvHead = ['scenario', 'setting', 'server', 'product', 'unit', 'rounds', 'limit', 'low', 'high', 'best_place'];
const csvCosts = ['cores_each', 'cores_low', 'cores_high', 'mb_each', 'kbps_each', 'delay_p95_ms', 'ran_out', 'runs'];
const csvBeside = [
  ...['delay_50_ms', 'noticed_50', 'delay_80_ms', 'noticed_80', 'noticed_100'],
  ...['joins_per_second', 'answers_again_ms', 'first_frame_again_ms', 'high_shown', 'delay_open_ms'],
];

/** A line for each server under each load; what is not known is empty. */
export function studyCsv({ tables }: StudyAnswer): string {
  const rows = tables.flatMap(({ scenario, setting = '', unit, cells }) =>
    cells.map((cell) => {
      const { server, product = '', limit, places, cores, memoryMb, egressKbps, delayMs, ranOut, runs } = cell;
      return [
        ...[scenario, setting, server, product, unit.many, limit?.rounds ?? 0, limit ? figureOf(limit) : ''],
        ...[limit?.low ?? '', limit?.high ?? '', places?.[0] ?? '', places?.[1] ?? ''],
        ...[cores?.middle ?? '', cores?.low ?? '', cores?.high ?? '', memoryMb?.middle ?? ''],
        ...[egressKbps?.middle ?? '', delayMs?.middle ?? ''],
        ...[ranOut.map(({ what }) => what).join(' '), runs.map(({ path }) => path).join(' ')],
        ...besideLimit(cell),
        limit ? (limit.high === null || cell.highNotShown ? 'no' : 'yes') : '',
        highest([cell, ...cell.levels].flatMap(({ delayBoundMs }) => delayBoundMs ?? [])) ?? '',
      ];
    }),
  );
  return [[...csvHead, 'worst_place', ...csvCosts, ...csvBeside], ...rows].map(csvLine).join('');
}

function besideLimit({ levels, joinRate, recovery }: CellAnswer): (string | number)[] {
  const [half, most, all] = [50, 80, 100].map((percent) => levels.find((level) => level.percent === percent));
  return [
    ...[half?.delayMs?.middle ?? '', perTrial(half), most?.delayMs?.middle ?? '', perTrial(most)],
    ...[perTrial(all), joinRate ? figureOf(joinRate.perSecond) : ''],
    ...[recovery?.answersMs.middle ?? '', recovery?.firstFrameMs?.middle ?? ''],
  ];
}

/** Participants who noticed something, in the mean of the trials that show who. */
function perTrial({ noticed }: Partial<LevelAnswer> = {}): number | '' {
  return noticed && noticed.trials > 0 ? noticed.by / noticed.trials : '';
}

export function titleOf({ load, unit }: StudyTable): string {
  return `${load}: ${unit.many} that each server holds`;
}

function sentencesOf(one: StudyTable, answer: StudyAnswer): string[] {
  return [...rankSentences(one, answer.chance), ...notesOf(one, answer)];
}

/** What stands below who holds more. */
export function notesOf(one: StudyTable, { rounds }: StudyAnswer): string[] {
  return [...intervalSentences(one), ...missingSentences(one, rounds), ...one.unlike];
}

/** Those in which something stands. */
function usedColumns({ cells }: StudyTable) {
  const all = cells.map(cellTexts);
  const used = studyHead.map((_, column) => column).filter((column) => all.some((row) => row[column] !== ''));
  const pick = (row: readonly string[]) => used.map((column) => row[column] ?? '');
  return { head: pick(studyHead), rows: all.map(pick), numbers: used.map((column) => studyNumbers.includes(column)) };
}

function rowsOf(one: StudyTable, width: number): string[] {
  const { head, rows, numbers } = usedColumns(one);
  const lines = inColumns([head, ...rows], 4, (column) => numbers[column] === true);
  if (lines.every((line) => line.length <= width)) return lines;
  return one.cells.flatMap((cell) => {
    const [place = '', server = '', limit = '', ...others] = cellTexts(cell);
    const figures = others.flatMap((text, nth) => (text === '' ? [] : [`${studyHead[nth + 3]} ${text}`]));
    const first = [place, server, `${limit} ${cell.limit ? one.unit.many : ''}`]
      .filter((text) => text !== '')
      .join('  ');
    return [...wrap(first, 4, width, 2), ...wrap(figures.join('; '), 7, width, 2)];
  });
}
