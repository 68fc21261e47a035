import type { LoadlineError } from '../../model/errors.js';
import type { IceCandidate, IceServer } from '../../model/signalling.js';
import { askedBy, postSdp, shownAt, type WhipEndpoint } from './endpoint.js';
import { askHttp, type HttpAnswer, unspeakable } from './http-request.js';
import { iceServersOf } from './link-header.js';
import { isSdp, WhipRefusal } from './refusals.js';
import { fragmentOf, fragmentType } from './sdp-fragment.js';
import { isOfOrigin } from './sent-on.js';

/** Opened for an offer: the WHIP session of RFC 9725, which has a URL of its own. */
export class WhipResource {
  readonly answer: string;
  readonly iceServers: readonly IceServer[];
  /** Of the session. */
  readonly url: string;
  #etag: string | undefined;
  readonly #endpoint: WhipEndpoint;
  readonly #stream: string;
  readonly #offer: string;
  /** One after the other, since each may change the ETag. */
  #patching: Promise<void> = Promise.resolve();

  private constructor(
    endpoint: WhipEndpoint,
    stream: string,
    offer: string,
    { answer: { headers, text, url }, location }: { readonly answer: HttpAnswer; readonly location: string },
  ) {
    this.#endpoint = endpoint;
    this.#stream = stream;
    this.#offer = offer;
    this.url = new URL(location, url).href;
    this.#etag = headers.get('etag') ?? undefined;
    this.answer = text;
    this.iceServers = iceServersOf(headers.get('link'));
  }

  /**
   * Not given up on abort: what is being opened must be known to be ended.
   * Throws a WhipRefusal, and E_SERVER_PROTOCOL for what is no answer to an offer.
   */
  static async open(endpoint: WhipEndpoint, stream: string, offer: string): Promise<WhipResource> {
    const answer = await postSdp(endpoint, stream, offer);
    const { status, headers, url } = answer;
    // An empty one would be the endpoint itself.
    const location = headers.get('location') || undefined;
    const named = location !== undefined && URL.canParse(location, url) ? location : undefined;
    const fault = faultOf(endpoint, answer, named);
    const opened =
      named === undefined ? undefined : new WhipResource(endpoint, stream, offer, { answer, location: named });
    if (fault === undefined && opened !== undefined) return opened;
    // With a 2xx something was made, and with the counter-offer of a 406. What another no names may be somebody else's
    // session.
    if (opened && (status < 300 || status === 406) && isOfOrigin(opened.url, url))
      await opened.end().catch(() => undefined);
    throw fault;
  }

  /** Brings a candidate of the probe (RFC 9725, 4.4). Rejects when it is refused. */
  trickle(candidate: IceCandidate): Promise<void> {
    const patched = this.#patching.then(() => this.#patch(candidate));
    this.#patching = patched.catch(() => undefined);
    return patched;
  }

  async #patch(candidate: IceCandidate): Promise<void> {
    const answer = await askHttp({
      method: 'PATCH',
      url: this.url,
      headers: {
        ...shownAt(this.#endpoint, this.#stream),
        'content-type': fragmentType,
        ...(this.#etag === undefined ? {} : { 'if-match': this.#etag }),
      },
      body: fragmentOf(this.#offer, [candidate]),
      ...askedBy(this.#endpoint),
    });
    if (answer.status >= 300) throw new WhipRefusal('trickle', answer);
    this.#etag = answer.headers.get('etag') ?? this.#etag;
  }

  /** Ends it. False: it had ended before. Rejects when the server does not do it. */
  end(): Promise<boolean> {
    return endAt(this.#endpoint, this.#stream, this.url);
  }
}

/** False: it had ended before. Rejects when the server does not do it. */
export async function endAt(endpoint: WhipEndpoint, stream: string, url: string): Promise<boolean> {
  const answer = await askHttp({ method: 'DELETE', url, headers: shownAt(endpoint, stream), ...askedBy(endpoint) });
  if (answer.status === 404 || answer.status === 410) return false;
  if (answer.status >= 300) throw new WhipRefusal('end', answer);
  return true;
}

/** Why an answer to an offer opens nothing that could be used and ended. `named` is its Location, where that is one. */
function faultOf(endpoint: WhipEndpoint, answer: HttpAnswer, named: string | undefined): LoadlineError | undefined {
  const { status, text, url } = answer;
  if (status >= 400) return new WhipRefusal(endpoint.way === 'whip' ? 'publish' : 'view', answer);
  if (status !== 201) return unspeakable(url, `it answered ${status} to an offer, and not 201 Created`);
  if (named === undefined) return unspeakable(url, 'it names no Location by which the session could be ended');
  const session = new URL(named, url).href;
  if (!isOfOrigin(session, url)) {
    return unspeakable(url, `its Location leads to another origin, ${session}, which is shown no token of this one's`);
  }
  return isSdp(text) ? undefined : unspeakable(url, 'its answer to the offer is no SDP');
}
