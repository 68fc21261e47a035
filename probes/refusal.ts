import { LoadlineError } from '../model/errors.js';
import { shortWords } from '../model/secrets.js';
import type { ProbeFailureCode } from '../model/trial.js';

/** Of what a server says to a refusal. */
const detailCharacters = 1000;

export interface NegotiationRefusal {
  readonly code: ProbeFailureCode;
  readonly detail: string;
}

/** The name of a failed negotiation, and the server's words for it. */
export function refusalOf(error: unknown): NegotiationRefusal {
  if (!(error instanceof LoadlineError))
    return { code: 'refused', detail: shortWords(String(error), detailCharacters) };
  const text = error.why === undefined ? error.message : `${error.message} ${error.why}`;
  const detail = shortWords(text, detailCharacters);
  if (error.code === 'E_SERVER_TIMEOUT') return { code: 'signalling-timeout', detail };
  if (error.code === 'E_SERVER_LOST' || error.code === 'E_SERVER_UNREACHABLE') return { code: 'server-lost', detail };
  return { code: 'refused', detail };
}
