import { absentCell, type CurveName, curves, type TrialData } from '../wire/trial-data.js';

export interface Trial {
  readonly data: TrialData;
  /** Seconds from the start of the window, of the middle of each cell. */
  readonly times: readonly number[];
  /** The curve of one probe; `null` is not measured. */
  curve(name: CurveName, probe: number): (number | null)[];
  /** That of a stream which has its own, by its place among these. */
  streamCurve(name: CurveName, stream: number): (number | null)[];
  /** Over all probes, and the streams that have curves of their own, cell by cell. */
  spread(name: CurveName): SpreadCurves;
}

interface SpreadCurves {
  /** Whose they are: "all probes", or of those streams that have curves of their own. */
  readonly of: string;
  readonly mean: (number | null)[];
  readonly least: (number | null)[];
  readonly most: (number | null)[];
}

/** Reads what `trial-data.ts` has packed. Rejects where the browser has no DecompressionStream. */
export async function unpack(base64: string): Promise<Trial> {
  const packed = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const jsonLength = new DataView(bytes.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + jsonLength))) as TrialData;
  return trialOf(data, bytes.subarray(4 + jsonLength));
}

function trialOf(data: TrialData, planes: Uint8Array): Trial {
  const { bins, binMs, startMs, steps } = data.curves;
  const cells = planes.length / 2;
  const column = (name: CurveName) => curves.findIndex((curve) => curve.name === name);
  const rows = data.probes.length + data.streams.length;
  const at = (columnIndex: number, row: number, bin: number): number | null => {
    const cell = (columnIndex * rows + row) * bins + bin;
    const value = (planes[cell] ?? 255) * 256 + (planes[cells + cell] ?? 255);
    return value === absentCell ? null : value * (steps[columnIndex] ?? 0);
  };
  const curveOf = (name: CurveName, row: number) =>
    Array.from({ length: bins }, (_, bin) => at(column(name), row, bin));
  return {
    data,
    times: Array.from({ length: bins }, (_, bin) => (startMs + (bin + 0.5) * binMs) / 1000),
    curve: curveOf,
    streamCurve: (name, stream) => curveOf(name, data.probes.length + stream),
    spread: (name) => {
      const has = (row: number) => curveOf(name, row).some((value) => value !== null);
      const own = data.probes.some((_, row) => has(row));
      const apart = data.streams.some((_, stream) => has(data.probes.length + stream));
      const of = apart ? (own ? 'all probes, and streams by themselves' : 'all streams') : 'all probes';
      return { of, ...spreadOf(rows, bins, (row, bin) => at(column(name), row, bin)) };
    },
  };
}

function spreadOf(rows: number, bins: number, at: (row: number, bin: number) => number | null) {
  const spread: Omit<SpreadCurves, 'of'> = { mean: [], least: [], most: [] };
  for (let bin = 0; bin < bins; bin += 1) {
    let [sum, count, least, most] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < rows; row += 1) {
      const value = at(row, bin);
      if (value === null) continue;
      sum += value;
      count += 1;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    spread.mean.push(count === 0 ? null : sum / count);
    spread.least.push(count === 0 ? null : least);
    spread.most.push(count === 0 ? null : most);
  }
  return spread;
}
