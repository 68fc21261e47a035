import type { HostLimit } from '../../analysis/capacity/host-limit.js';
import { meantOrKnown } from '../../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../../model/errors.js';
import { type Prices, pricesSchema } from '../../model/prices.js';
import { readMapping } from '../plan-file/read-plan.js';
import { textOfFile } from './text-of-file.js';

/** Reads a file of prices. Throws E_PLAN with every problem, each with line and column, and E_USAGE where a kind of host has no price. */
export async function readPrices(path: string, limits: readonly HostLimit[]): Promise<Prices> {
  const text = await textOfFile(path, 'prices');
  const noMapping = 'a file of prices is a list of "key: value" lines, and needs currency and hosts';
  const read = readMapping(text, pricesSchema, Object.keys(pricesSchema.shape), noMapping);
  if (!read.ok) {
    throw new LoadlineError('E_PLAN', 'The file of prices is wrong.', {
      where: path,
      why: read.problems.map(({ line, column, text: problem }) => `${line}:${column}  ${problem}`).join('\n'),
      todo: 'correct these places; docs/capacity.md shows a whole file',
    });
  }
  const prices = read.values as Prices;
  const known = Object.keys(prices.hosts);
  const missing = [...new Set(limits.map(({ hostType }) => hostType))].find((hostType) => !known.includes(hostType));
  if (missing === undefined) return prices;
  throw new LoadlineError('E_USAGE', `The file of prices has no price for "${missing}".`, {
    where: path,
    why: meantOrKnown(missing, known),
    todo: 'give that kind of host a price, or call it as the file does: loadline capacity KIND=RUN',
  });
}
