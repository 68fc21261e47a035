import { heldLimit, namesNoLimit } from '../../model/run.js';
import type { ComparedRun, Comparison } from './compare.js';
import type { ComparedFact } from './compared-facts.js';
import { differentFromFirst } from './same-load.js';

/** Whether each run holds its share of what the first one was shown to hold. */
export interface ShareVerdict {
  readonly kind: 'met' | 'below' | 'unknown';
  /** A whole sentence for each run after the first. */
  readonly sentences: readonly string[];
}

type Kind = ShareVerdict['kind'];

/**
 * For builds: the first run is the measure, and what each was shown to hold is compared, not what it may hold beside
 * that. A run that ended before the server did may hold more than it was shown to, so it meets the share or says
 * nothing.
 */
export function holdsShare(comparison: Comparison, share: number): ShareVerdict {
  const [first, ...others] = comparison.runs;
  const told = first
    ? others.map((other, nth) => toldOf(first, other, share, differentFromFirst(comparison, nth + 1)))
    : [];
  const worst = (['below', 'unknown'] as const).find((kind) => told.some((one) => one.kind === kind));
  return { kind: worst ?? 'met', sentences: told.map(({ text }) => text) };
}

function toldOf(
  first: ComparedRun,
  other: ComparedRun,
  share: number,
  different: ComparedFact | undefined,
): { readonly kind: Kind; readonly text: string } {
  const asked = `${Number((100 * share).toFixed(4))} % of the ${first.stable} ${first.unit} of ${first.name}`;
  // A share of whole numbers as people reckon it: 55 % of 100 is 55, not 55.00000000000001.
  const needed = Number((share * first.stable).toFixed(9));
  if (different) {
    const why = `${different.label} is another (${different.values.join(', ')})`;
    return { kind: 'unknown', text: `${other.name}: whether it holds ${asked} cannot be said: ${why}.` };
  }
  const died = other.outcome === 'server-lost' && other.unstable !== null && other.unstable <= needed;
  const holdsAny = heldLimit(first) !== undefined;
  if (holdsAny && died) {
    return { kind: 'below', text: `${other.name} lost its server at ${other.unstable}, less than ${asked}.` };
  }
  if (!holdsAny || namesNoLimit(other.outcome)) {
    return { kind: 'unknown', text: `${other.name}: whether it holds ${asked} cannot be said.` };
  }
  const holds = `${other.name} holds ${other.stable} ${other.unit}`;
  if (other.stable >= needed) return { kind: 'met', text: `${holds}, at least ${asked}.` };
  const tooLittle = other.unstable !== null && other.unstable <= needed;
  const isOpen = other.unstable === null || (other.undecided && !tooLittle);
  const mayHoldMore = other.cutShort || isOpen || other.outcome === 'probe-limited' || other.outcome === 'reached-max';
  if (mayHoldMore) return { kind: 'unknown', text: `${holds} at least; whether that is ${asked} cannot be said.` };
  return { kind: 'below', text: `${holds}, less than ${asked}.` };
}
