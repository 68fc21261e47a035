import { LoadlineError } from '../../model/errors.js';
import type { IceCandidate } from '../../model/signalling.js';
import type { ProbeFailureCode } from '../../model/trial.js';

/** A room of a hundred has some 100 kB in one description; Chromium and its pages stall for seconds on longer ones. */
const descriptionCharactersMax = 1_000_000;
/** A host with ten addresses over UDP, TCP and a relay has some thirty. */
const candidatesMax = 250;
/** RFC 8839, 5.1: a line; a long one has some 200 characters. */
const candidateCharactersMax = 2000;

interface WordsOptions {
  /** The server's candidates, on their way to the page. */
  readonly toPage: (candidate: IceCandidate) => void;
  readonly onRefusal: (refusal: { readonly code: ProbeFailureCode; readonly detail: string }) => void;
}

/** What the server says to one probe on one leg: handed on while it is what a server that works would say. */
export class ServerWords {
  private readonly options: WordsOptions;
  private candidates = 0;

  constructor(options: WordsOptions) {
    this.options = options;
  }

  /** The description itself. Throws E_SERVER_REFUSED when no browser should be given it. */
  readonly checked = (description: string): string => {
    if (description.length <= descriptionCharactersMax) return description;
    const what = `The media server sent a description of ${description.length} characters.`;
    throw new LoadlineError('E_SERVER_REFUSED', what, { why: `more than ${descriptionCharactersMax} are none` });
  };

  /** The first one too many fails the probe, as the server's fault; those after it are dropped. */
  readonly onCandidate = (candidate: IceCandidate): void => {
    this.candidates += 1;
    const isLong = candidate.candidate.length > candidateCharactersMax;
    if (this.candidates <= candidatesMax && !isLong) this.options.toPage(candidate);
    else if (this.candidates <= candidatesMax + 1) {
      const what = isLong ? `one of ${candidate.candidate.length} characters` : `more than ${candidatesMax}`;
      this.options.onRefusal({ code: 'refused', detail: `the media server sent ${what} as candidates of one leg` });
      this.candidates = candidatesMax + 1;
    }
  };
}
