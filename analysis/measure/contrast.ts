import type { LoadSummary } from '../../model/load-summary.js';
import type { TrialRecord } from '../../model/trial.js';
import type { ServerExhaustion } from './exhaustion.js';

interface Mark {
  readonly seen: number;
  readonly of: (load: LoadSummary) => number | undefined;
  /** A size that held had clearly less when it had this or less. */
  readonly clearlyLess: number;
  /** From here on it was full. */
  readonly full: number;
}

/** Chosen: a server that always takes nearly all of a resource takes it at every size, to within a few percent. */
const clearShare = 0.9;

/**
 * Whether what a failing size had none left of was there at sizes that held. A resource that is as full whatever the
 * load, such as the core of a server that polls, is not what ran out. Undefined: none of the sizes that held had
 * clearly less, or nothing is known of them.
 *
 * @returns from which size that held on it was full already; null where it never was
 */
export function contrastOf(
  one: ServerExhaustion,
  stable: readonly TrialRecord[],
): { heldFull: number | null } | undefined {
  const told = marksOf(one).flatMap(({ of, clearlyLess, full }) => {
    const known = stable.flatMap(({ size, load }) => {
      const value = of(load);
      return value === undefined ? [] : { size, value };
    });
    if (!known.some(({ size, value }) => size <= one.size && value <= clearlyLess)) return [];
    const sizes = known.filter(({ value }) => value >= full).map(({ size }) => size);
    return { heldFull: sizes.length === 0 ? null : Math.min(...sizes) };
  });
  return told[0];
}

function marksOf({ what, used, limit, throttledPercent, dropped }: ServerExhaustion): readonly Mark[] {
  const mark = (seen: number | undefined, of: Mark['of'], full: number): readonly Mark[] =>
    seen === undefined ? [] : [{ seen, of, clearlyLess: clearShare * seen, full }];
  const throttled = (least: number) => {
    const seen = throttledPercent !== undefined && throttledPercent >= least ? throttledPercent : undefined;
    return mark(seen, (load) => load.serverThrottledPercent, least);
  };
  switch (what) {
    case 'cpu':
      return [
        ...mark(
          used !== undefined && used >= 0.95 * limit ? used : undefined,
          (load) => load.serverCoresMean,
          0.95 * limit,
        ),
        ...throttled(10),
      ];
    case 'cpu-quota':
      return throttled(10);
    case 'thread':
      return mark(used, ({ serverThread }) => serverThread?.coresMean, 0.95);
    case 'memory':
      // Of sources that may be others: by their shares.
      return mark(used && used / limit, (load) => memoryShare(load, limit), 0.95);
    case 'up-link':
      return mark(
        dropped,
        (load) => (load.serverEgressMbpsMean === undefined ? undefined : (load.serverEgressDropped ?? 0)),
        1,
      );
    case 'host-cpu':
      return mark(used && (100 * used) / limit, (load) => load.serverHostBusyPercentMean, 95);
    case 'host-memory':
      return mark(
        used,
        ({ serverHostMemoryMbMin: free }) => (free === undefined ? undefined : limit - free),
        limit - 256,
      );
    case 'host-link':
      return mark(used, (load) => load.serverHostLinkPercentMean, 92);
    case 'turn-cpu':
      return mark(used, (load) => load.turnCoresMean, 0.95 * limit);
  }
}

function memoryShare(load: LoadSummary, otherwise: number): number | undefined {
  const used = load.limitMemoryMbMax ?? load.serverRssMbMax ?? load.scrapedMemoryMbMax;
  return used && used / (load.serverMemoryLimitMb ?? otherwise);
}
