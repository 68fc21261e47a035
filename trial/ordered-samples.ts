import type { Sample } from '../model/sample.js';

/** How many samples of a probe wait for an overtaken one, where there is a gap. They come once a second. */
const heldSamples = 1;
/** A sample that begins where the last ended, within the clock's correction, has overtaken none. */
const followsMs = 20;
/** Times in the future wait until they come. A probe with so many of them has an unbelievable clock. */
const mostWaiting = 8;

interface OfProbe {
  /** In order of time. */
  readonly waiting: Sample[];
  /** The end of the last one that was passed on. */
  passedMs: number;
  leftOut: number;
}

/**
 * The samples of a trial, put in order of time probe by probe before anybody folds or stores them. So what is folded is
 * what is stored, in the same order, and a trial that is judged again from its file is judged as it was.
 *
 * Pages tell theirs in order. Clocks that are set right and ways between hosts may turn them around or bring them
 * twice: what comes after a later one was passed on, or again, is left out and counted.
 */
export class OrderedSamples {
  private readonly probes = new Map<string, OfProbe>();

  /** Those whose turn it is now that these have come. */
  add(samples: readonly Sample[], nowMs: number): readonly Sample[] {
    const passed: Sample[] = [];
    for (const sample of samples) {
      const own = this.of(sample.probe);
      if (!wait(own, sample)) own.leftOut += 1;
      while (isTurn(own) && (own.waiting[0]?.atMs ?? 0) <= nowMs) pass(own, passed);
    }
    return passed;
  }

  /** All that end until then: nobody can wait any longer for what they have overtaken. */
  until(atMs: number): readonly Sample[] {
    const passed: Sample[] = [];
    for (const own of this.probes.values()) {
      while (own.waiting[0] && own.waiting[0].atMs <= atMs) pass(own, passed);
    }
    return passed;
  }

  /** How many samples of which probe were left out; those that wait for a time that has not come are among them. */
  leftOut(): ReadonlyMap<string, number> {
    const counts = [...this.probes].map(([id, { leftOut, waiting }]) => [id, leftOut + waiting.length] as const);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  private of(probe: string): OfProbe {
    const known = this.probes.get(probe);
    if (known) return known;
    const own = { waiting: [], passedMs: Number.NEGATIVE_INFINITY, leftOut: 0 };
    this.probes.set(probe, own);
    return own;
  }
}

/** Whether the oldest held sample can be released. */
function isTurn({ waiting, passedMs }: OfProbe): boolean {
  const [first] = waiting;
  if (!first) return false;
  return waiting.length > heldSamples || Math.abs(first.atMs - first.intervalMs - passedMs) <= followsMs;
}

/** False where there is no place for it. */
function wait({ waiting, passedMs }: OfProbe, sample: Sample): boolean {
  if (!(sample.atMs > passedMs) || waiting.length >= mostWaiting) return false;
  let place = waiting.length;
  while (place > 0 && (waiting[place - 1]?.atMs ?? 0) > sample.atMs) place -= 1;
  if (waiting[place - 1]?.atMs === sample.atMs) return false;
  waiting.splice(place, 0, sample);
  return true;
}

function pass(own: OfProbe, to: Sample[]): void {
  const first = own.waiting.shift();
  if (!first) return;
  own.passedMs = first.atMs;
  to.push(first);
}
