import { given } from '../../model/given.js';
import { CurveFold, type Folded, type FoldOrder } from '../../report/data/curve-fold.js';
import { visitCompressedLines } from '../../store/run-directory/json-lines.js';
import { boundsOf } from '../../store/run-directory/run-bounds.js';
import { parseSampleLine } from '../../store/run-directory/stored-shapes.js';

/** One of several threads that fold the samples of one file. */
export interface FoldPart {
  readonly path: string;
  readonly order: FoldOrder;
  /** This is the nth of so many. */
  readonly nth: number;
  readonly of: number;
}

export interface PartFolded extends Folded {
  /** Of the whole file's text, told by the first part. */
  readonly digest?: string;
}

const begin = Buffer.from('{"probe":"');
const quote = 34;

/** Folds the samples of its share of the probes. Rejects for a file that is torn, or has a line that is no sample. */
export async function foldPart({ path, order, nth, of }: FoldPart): Promise<PartFolded> {
  const fold = new CurveFold(order);
  const isWanted = (bytes: Buffer, from: number) => shareOf(bytes, from, of) === nth;
  const visit = (lines: readonly string[]) => fold.add(lines.map(parseSampleLine));
  const { tear, missing, digest } = await visitCompressedLines(path, visit, {
    isWanted,
    hasDigest: nth === 0,
    bounds: boundsOf('own').samples,
  });
  if (tear !== undefined || missing) throw new Error(`${path} is not whole`);
  return { ...fold.folded(), ...given({ digest }) };
}

/** Finds the probe's name without parsing the line, which is much cheaper. Throws if the line lacks it. */
function shareOf(bytes: Buffer, from: number, of: number): number {
  let at = from + begin.length;
  if (bytes.compare(begin, 0, begin.length, from, at) !== 0) throw new Error('it does not begin with a probe');
  let sum = 0;
  for (; at < bytes.length && bytes[at] !== quote; at += 1) sum = (sum * 31 + (bytes[at] ?? 0)) % 65_536;
  return sum % of;
}
