import { LoadlineError } from '../../model/errors.js';
import type { RunTrust } from './own-run.js';

export interface LineBounds {
  /** Of the file, unpacked. */
  readonly bytes: number;
  readonly lines: number;
  readonly ofLine: number;
  /** How often more than its packed size a file may unpack to; from `leastUnpacked` on. */
  readonly ratio: number;
}

export interface RunBounds {
  readonly trials: LineBounds;
  readonly evidence: LineBounds;
  readonly samples: LineBounds;
  /** Probe hosts in the evidence of a trial. */
  readonly hosts: number;
  /** The weight of what is kept of one file. */
  readonly kept: number;
}

export const leastUnpacked = 16 << 20;

/** A text of JavaScript has no more than some 500 million characters. */
const mostText = 500_000_000;

/** What runs store is packed to a twelfth and less; gzip packs what only repeats to a thousandth. */
const ratio = 100;

/**
 * All that is kept of one file, as `weightOf` has it: records of 70 MB, which are 20 trials of 500 calls, or 45 of 1000
 * viewers. Reading it takes less than 300 MB with all that Node itself takes.
 */
const kept = 160_000_000;

const bounds: RunBounds = {
  // The record of 10,000 participants of two streams has 20 MB.
  trials: { bytes: kept, lines: 100_000, ofLine: 32 << 20, ratio },
  // A second has one line for each probe host, the server, the TURN server and each page of metrics, of 170 to 230
  // bytes. 20 hours with four of them are 290,000 lines and 60 MB, and so is half an hour with 90 hosts.
  evidence: { bytes: 80_000_000, lines: 400_000, ofLine: 1 << 20, ratio },
  // They are handed on and forgotten, as many as there are. One has all streams of a probe, some 650 bytes each.
  samples: { bytes: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY, ofLine: 4 << 20, ratio },
  hosts: 1000,
  kept,
};

/** For files that nobody else could have written, and for a run that is trusted. */
export const noBounds: LineBounds = {
  bytes: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
  ofLine: mostText,
  ratio: Number.POSITIVE_INFINITY,
};

const trusted: RunBounds = {
  trials: noBounds,
  evidence: noBounds,
  samples: noBounds,
  hosts: Number.POSITIVE_INFINITY,
  kept: Number.POSITIVE_INFINITY,
};

/** A run that came from elsewhere must not fill the memory, and one that is known to be good may be larger. */
export function boundsOf(trust: RunTrust): RunBounds {
  return trust === 'own' ? bounds : trusted;
}

/** Bytes that an array or an object, and a value in one, take in memory beside the text that they are written in. */
const containerBytes = 40;
const valueBytes = 16;
const [comma, bracket, brace] = [44, 91, 123];

/** Memory of parsed JSON, about, and enough for honest records: `[[],[],…]` takes 18 times its text. */
function weightOf(json: string): number {
  let weight = containerBytes + json.length;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === comma) weight += valueBytes;
    else if (code === brace || code === bracket) weight += containerBytes;
  }
  return weight;
}

/** Adds up what is kept of a file. Throws E_RUN before it is parsed. */
export class Kept {
  private weight = 0;

  constructor(
    private readonly file: string,
    private readonly most: number,
  ) {}

  add(json: string): string {
    this.weight += weightOf(json);
    if (this.weight <= this.most) return json;
    throw tooMuch(this.file, `what it holds takes more than ${this.most} bytes of memory`);
  }
}

/** A stored file that is larger than those that are read. */
export function tooMuch(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', 'A file of the stored run holds more than is read of a run.', {
    where,
    why,
    todo: 'take the run from where it was made; where you made it yourself, or trust who did, add --trust-run',
  });
}
