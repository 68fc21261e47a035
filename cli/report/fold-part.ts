import { CurveFold, type Folded, type FoldOrder } from '../../report/data/curve-fold.js';
import { visitCompressedLines } from '../../store/run-directory/json-lines.js';
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
  /** Of the whole file's text. */
  readonly digest: string;
}

const begin = '{"probe":"';

/** Folds the samples of its share of the probes. Rejects for a file that is torn, or has a line that is no sample. */
export async function foldPart({ path, order, nth, of }: FoldPart): Promise<PartFolded> {
  const fold = new CurveFold(order);
  const { tear, missing, digest } = await visitCompressedLines(path, (lines) => {
    fold.add(lines.flatMap((line) => (shareOf(line, of) === nth ? parseSampleLine(line) : [])));
  });
  if (tear !== undefined || missing || digest === undefined) throw new Error(`${path} is not whole`);
  return { ...fold.folded(), digest };
}

/** By the name of the probe as it is written, which is much less work than to read the line. */
function shareOf(line: string, of: number): number {
  const written = line.startsWith(begin)
    ? line.slice(begin.length, line.indexOf('"', begin.length))
    : parseSampleLine(line).probe;
  let sum = 0;
  for (let at = 0; at < written.length; at += 1) sum = (sum * 31 + written.charCodeAt(at)) % 65_536;
  return sum % of;
}
