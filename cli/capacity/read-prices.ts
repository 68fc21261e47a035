import type { HostLimit } from '../../analysis/capacity/host-limit.js';
import { meantOrKnown } from '../../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../../model/errors.js';
import { type Prices, pricesSchema } from '../../model/prices.js';
import { readMappingFile } from '../plan-file/read-mapping-file.js';

/** Reads a file of prices. Throws E_PLAN with every problem, line and column; E_USAGE for a host without a price. */
export async function readPrices(path: string, limits: readonly HostLimit[]): Promise<Prices> {
  const prices: Prices = await readMappingFile({
    path,
    what: 'prices',
    schema: pricesSchema,
    noMapping: 'a file of prices is a list of "key: value" lines, and needs currency and hosts',
    todo: 'correct these places; docs/reference/capacity.md shows a whole file',
  });
  const known = Object.keys(prices.hosts);
  const missing = [...new Set(limits.map(({ hostType }) => hostType))].find((hostType) => !known.includes(hostType));
  if (missing === undefined) return prices;
  throw new LoadlineError('E_USAGE', `The file of prices has no price for "${missing}".`, {
    where: path,
    why: meantOrKnown(missing, known),
    todo: 'give that kind of host a price, or call it as the file does: loadline capacity KIND=RUN',
  });
}
