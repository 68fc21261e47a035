import { LoadlineError } from '../../model/errors.js';
import { shortText } from '../../model/plain-text.js';
import { againAfterMs } from '../await-stream.js';
import { tokenNames, type WhipProtocol } from './credentials.js';
import { type HttpAnswer, statusText } from './http-request.js';

/** What was asked for: a stream of ours to be taken, a stream to be given, or something of a session that is there. */
type WhipRequest = 'publish' | 'view' | 'trickle' | 'restart' | 'end';

/** By the request that was made; what is absent has no meaning of its own. */
type Meaning = string | Partial<Readonly<Record<WhipRequest, string>>>;

const ofOffer = (publish: string, view = publish) => ({ publish, view });
const ofSession = (text: string) => ({ trickle: text, restart: text, end: text });
const noMethod: Meaning = {
  ...ofOffer('Nothing takes offers at this address.'),
  trickle: 'Its sessions take no candidates after the offer.',
  restart: 'Its sessions take no PATCH.',
  end: 'Its sessions take no DELETE.',
};

/** What a status means here, after RFC 9725, the draft of WHEP and RFC 9110. */
const meanings: Readonly<Record<number, Meaning>> = {
  400: {
    ...ofOffer('It cannot read the offer.'),
    trickle: 'It cannot read the candidates.',
    restart: 'It cannot read the restart.',
    end: 'It does not take a DELETE there.',
  },
  401: 'It wants a token, or another one.',
  403: 'The token does not allow it.',
  404: {
    ...ofOffer('There is no such endpoint.', 'The stream is not there.'),
    ...ofSession('The session is not there: it has ended, or its Location leads nowhere.'),
  },
  405: noMethod,
  406: ofOffer('It does not accept the offer.'),
  409: ofOffer('The stream is there already.', 'The stream is not ready.'),
  410: 'What was asked for is gone.',
  412: ofSession('The session has changed since (its ETag is another).'),
  413: { ...ofOffer('The offer is larger than it takes.'), trickle: 'The candidates are more than it takes.' },
  415: {
    ...ofOffer('It does not take an SDP offer at this address.'),
    trickle: 'Its sessions do not take candidates as an SDP fragment.',
  },
  422: {
    ...ofOffer('It can read the offer and cannot work with it, as when it knows none of the codecs.'),
    trickle: 'It cannot work with the candidates.',
    restart: 'Its sessions take candidates and no restart.',
  },
  428: ofSession('It wants If-Match, and has named no ETag.'),
  429: 'It takes no more requests for now: a limit of their rate.',
  501: noMethod,
  503: 'It is overloaded, or shutting down.',
};

const textCharacters = 200;

/** An answer of the server that is a no, with the status and its own text. */
export class WhipRefusal extends LoadlineError {
  readonly status: number;
  /** When it says to come again. */
  readonly retryAfterMs: number | undefined;

  constructor(asked: WhipRequest, { status, headers, text, url }: HttpAnswer) {
    const retryAfter = headers.get('retry-after');
    const again = retryAfter === null ? '' : `, Retry-After: ${retryAfter}`;
    const said = isSdp(text) ? 'an SDP of its own' : shortText(text.trim(), textCharacters);
    super('E_SERVER_REFUSED', `The media server refused to ${words[asked]}. ${meaningOf(status, asked, text)}`.trim(), {
      where: url,
      why: statusText({ status }) + again + (said === '' ? '' : `: ${said}`),
      todo: status === 401 || status === 403 ? tokenTodo(asked === 'view' ? 'whep' : 'whip') : undefined,
    });
    this.status = status;
    this.retryAfterMs = retryAfterOf(retryAfter, Date.now());
  }
}

/**
 * After how long a viewer comes again whose stream is not there yet (404), or is not ready (409): when the server says
 * so (`Retry-After`), or soon. With any other no only when the server says when.
 */
export function waitMsOf(error: LoadlineError): number | undefined {
  if (!(error instanceof WhipRefusal)) return undefined;
  const { status, retryAfterMs } = error;
  if (status === 404 || status === 409) return Math.max(retryAfterMs ?? againAfterMs, 1);
  return status === 503 || status === 429 ? retryAfterMs : undefined;
}

const words: Readonly<Record<WhipRequest, string>> = {
  publish: 'take a stream',
  view: 'give a stream',
  trickle: 'take candidates',
  restart: 'restart ICE',
  end: 'end a session',
};

/** Drafts of WHEP until 2024 let a server answer with an offer of its own; the viewer then had to answer that. */
function meaningOf(status: number, asked: WhipRequest, text: string): string {
  if (asked === 'view' && isSdp(text)) {
    return 'It makes a counter-offer, as an older draft of WHEP had it, which is not supported: it must answer the offer.';
  }
  const meaning = meanings[status] ?? '';
  return typeof meaning === 'string' ? meaning : (meaning[asked] ?? '');
}

const tokenTodo = (way: WhipProtocol): string =>
  `set ${tokenNames[way]} to a token that may do it; it may hold {stream} for the name of the stream`;

export function isSdp(text: string): boolean {
  return /^v=0\r?\n/.test(text) && /^m=/m.test(text);
}

/** In seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
