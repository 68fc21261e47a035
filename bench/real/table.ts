/** The rows of one server in Markdown, what differed between kinds of probes, and the exit code of the whole. */
import { table } from '../../analysis/report/markdown-table.js';
import type { Cell } from './matrix.js';
import { type FigureName, figureNames, figures, type Row } from './row.js';

const playedWith = ['full', 'encoded', 'native'];

/** 2: nothing could be played. 3: a played row is not stable. Each is a small load on an otherwise idle server. */
export function exitCodeOf(rows: readonly Row[]): 0 | 2 | 3 {
  const played = rows.filter(({ verdict }) => verdict !== 'refused');
  if (played.length === 0) return 2;
  return played.every(({ verdict }) => verdict === 'stable') ? 0 : 3;
}

export function serverTable(title: string, rows: readonly Row[]): readonly string[] {
  const played = rows.filter(({ verdict }) => verdict !== 'refused');
  const columns = figureNames.map((name) => figures[name].title);
  const lines = played.map((row) => [
    ...[row.scenario, row.record, row.network, row.player, row.verdict, row.joined ?? ''],
    ...figureNames.map((name) => shown(row, name)),
  ]);
  const parts: readonly (readonly [head: string, lines: readonly string[]])[] = [
    ['Not stable:', unstable(played)],
    ['What differed between kinds of probes by more than is stated above:', differences(played)],
    ['Not to be had:', refusals(rows)],
  ];
  const head = ['scenario', 'recorded', 'network', 'probes', 'verdict', 'joined', ...columns];
  return [
    title,
    ...(lines.length === 0 ? [] : ['', ...table(head, lines)]),
    ...parts.flatMap(([head, list]) => (list.length === 0 ? [] : ['', head, '', ...list.map((line) => `- ${line}`)])),
  ];
}

/** Each kind of probes beside the first one that was played and stable, where they are further apart than stated. */
export function differences(rows: readonly Row[]): readonly string[] {
  const kinds = rows.filter(({ player, verdict }) => playedWith.includes(player) && verdict === 'stable');
  return kinds.flatMap((row) => {
    const beside = kinds.find((one) => placeOf(one) === placeOf(row));
    if (beside === undefined || beside === row) return [];
    const apart = figureNames.filter((name) => isApart(name, beside.figures[name], row.figures[name]));
    const texts = apart.map(
      (name) => `${figures[name].title} ${shown(beside, name)} ${beside.player}, ${shown(row, name)} ${row.player}`,
    );
    return texts.length === 0 ? [] : [`${placeOf(row)}: ${texts.join('; ')}`];
  });
}

/** "audio, packets/s: 10 %", of each figure. */
export function tolerances(): string {
  return figureNames
    .map((name) => {
      const { title, apart } = figures[name];
      return `${title}: ${'percent' in apart ? `${apart.percent} %` : apart.more}`;
    })
    .join('; ');
}

function isApart(name: FigureName, one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const { apart } = figures[name];
  const most = 'percent' in apart ? (one * apart.percent) / 100 : apart.more;
  return Math.abs(one - other) > most;
}

function unstable(played: readonly Row[]): readonly string[] {
  return played
    .filter(({ verdict }) => verdict !== 'stable')
    .map((row) => `${placeOf(row)}, ${row.player}: ${row.verdict}. ${row.why.join(' ')}`);
}

/** One line for each sentence: how many combinations of which scenarios it refuses. */
function refusals(rows: readonly Row[]): readonly string[] {
  const refused = rows.filter(({ verdict }) => verdict === 'refused');
  return [...new Set(refused.flatMap(({ why }) => why))].map((why) => {
    const those = refused.filter((row) => row.why.includes(why));
    const names = (key: keyof Cell) => [...new Set(those.map((row) => row[key]))].join(', ');
    return `${names('scenario')} (${names('player')}; recorded: ${names('record')}; ${names('network')}): ${why}`;
  });
}

const placeOf = ({ scenario, record, network }: Cell): string =>
  `${scenario}, ${record === 'yes' ? 'recorded' : 'not recorded'}, ${network}`;

function shown(row: Row, name: FigureName): string {
  return row.figures[name]?.toFixed(figures[name].digits) ?? '';
}
