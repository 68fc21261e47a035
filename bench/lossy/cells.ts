import { z } from 'zod';

const figures = z.object({
  /** Means over the received streams of the trial. */
  frozenPercent: z.number().optional(),
  fps: z.number().optional(),
  videoKbps: z.number().optional(),
  concealedPercent: z.number().optional(),
  serverCores: z.number().optional(),
  hostBusyPercent: z.number().optional(),
  /** Of the frames that a whole file would have: those that the recorded files have, all files together. */
  fileFramesPercent: z.number().optional(),
});

/** One trial on one link, with what came of it. */
export const cellSchema = z.object({
  server: z.enum(['embedded', 'janus']),
  calls: z.number().int().positive(),
  /** Each way. */
  lossPercent: z.number(),
  roundTripMs: z.number(),
  recorded: z.boolean(),
  figures: figures.optional(),
  /** Why there are no figures. */
  why: z.string().optional(),
});

export type Cell = z.infer<typeof cellSchema>;
export type Figures = z.infer<typeof figures>;
/** What a cell is of. */
export type CellKey = Pick<Cell, 'server' | 'calls' | 'lossPercent' | 'roundTripMs' | 'recorded'>;

export const keyText = ({ server, calls, lossPercent, roundTripMs, recorded }: CellKey): string =>
  `${server}, ${calls} ${calls === 1 ? 'call' : 'calls'}, ${lossPercent} %, ${roundTripMs} ms${recorded ? ', recorded' : ''}`;

const readings: readonly (readonly [string, (figures: Figures) => number | undefined, digits: number])[] = [
  ['frozen, %', ({ frozenPercent }) => frozenPercent, 1],
  ['fps', ({ fps }) => fps, 1],
  ['video, kbit/s', ({ videoKbps }) => videoKbps, 0],
  ['concealed, %', ({ concealedPercent }) => concealedPercent, 1],
  ['file frames, %', ({ fileFramesPercent }) => fileFramesPercent, 0],
  ['server cores', ({ serverCores }) => serverCores, 3],
  ['host busy, %', ({ hostBusyPercent }) => hostBusyPercent, 0],
];

/** Both servers in one row for each link, the embedded one first. What was not measured is a dash; why stands below. */
export function cellsTable(cells: readonly Cell[]): string {
  const rows = [...new Map(cells.map((cell) => [keyText({ ...cell, server: 'embedded' }), cell])).values()].sort(
    inOrder,
  );
  const notes = new Set<string>();
  const lines = rows.map((row) => {
    const pair = (['embedded', 'janus'] as const).map((server) =>
      cells.find((cell) => keyText(cell) === keyText({ ...row, server })),
    );
    for (const cell of pair) if (cell?.why !== undefined) notes.add(`${keyText(cell)}: ${cell.why}`);
    const both = readings.map(([, read, digits]) =>
      pair.map((cell) => (cell?.figures && read(cell.figures))?.toFixed(digits) ?? '-').join(', '),
    );
    const link = [row.calls, row.recorded ? 'yes' : 'no', `${row.lossPercent} %`, `${row.roundTripMs} ms`];
    return `| ${[...link, ...both].join(' | ')} |`;
  });
  const head = ['calls', 'recorded', 'lost each way', 'round trip', ...readings.map(([name]) => name)];
  const table = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines];
  return [...table, ...(notes.size > 0 ? ['', ...[...notes].map((note) => `- ${note}`)] : []), ''].join('\n');
}

function inOrder(one: Cell, other: Cell): number {
  return (
    one.calls - other.calls ||
    Number(one.recorded) - Number(other.recorded) ||
    one.lossPercent - other.lossPercent ||
    one.roundTripMs - other.roundTripMs
  );
}
