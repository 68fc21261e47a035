import type { LoadlineError } from '../../model/errors.js';
import type { IceCandidate, IceServer } from '../../model/signalling.js';
import type { Ending } from '../ended-streams.js';
import type { WhipProtocol } from './credentials.js';
import { askedBy, postSdp, shownAt, type WhipEndpoint } from './endpoint.js';
import { filled } from './endpoint-url.js';
import { askHttp, type HttpAnswer, locationOf, statusText, unspeakable } from './http-request.js';
import { extensionsOf, iceServersOf } from './link-header.js';
import { isSdp, WhipRefusal } from './refusals.js';
import { candidatesIn, fragmentOf, fragmentType, restarted } from './sdp-fragment.js';
import { isOfOrigin } from './sent-on.js';

/** Opened for an offer: the WHIP session of RFC 9725, which has a URL of its own. */
export class WhipResource {
  answer: string;
  readonly iceServers: readonly IceServer[];
  /** ICE servers that it names and nobody can use, a sentence part each. */
  readonly unusable: readonly string[];
  /** Of WHEP, that it offers, and where. */
  readonly extensions: ReadonlyMap<string, string>;
  /** Of the session; absent: the server names no Location, and nothing can be asked of it. */
  readonly url: string | undefined;
  readonly stream: string;
  readonly way: WhipProtocol;
  #etag: string | undefined;
  readonly #endpoint: WhipEndpoint;
  #offer: string;
  #waiting: IceCandidate[] = [];
  /** One after the other, since each may change the ETag. */
  #patching: Promise<void> = Promise.resolve();

  private constructor(endpoint: WhipEndpoint, stream: string, offer: string, answered: HttpAnswer) {
    this.#endpoint = endpoint;
    this.stream = stream;
    this.way = endpoint.way;
    this.#offer = offer;
    const { headers, text } = answered;
    this.url = locationOf(answered);
    this.#etag = headers.get('etag') ?? undefined;
    this.answer = text;
    const { iceServers, unusable } = iceServersOf(headers.get('link'));
    this.iceServers = iceServers;
    this.unusable = unusable;
    this.extensions = extensionsOf(headers.get('link'), answered.url);
  }

  /**
   * Not given up on abort: what is being opened must be known to be ended.
   * Throws a WhipRefusal, and E_SERVER_PROTOCOL for what is no answer to an offer.
   */
  static async open(endpoint: WhipEndpoint, stream: string, offer: string): Promise<WhipResource> {
    const answer = await postSdp(endpoint, stream, offer);
    const { status, url } = answer;
    const opened = new WhipResource(endpoint, stream, offer, answer);
    const fault = faultOf(endpoint, answer, opened.url);
    if (fault === undefined) return opened;
    // With a 2xx something was made, and with the counter-offer of a 406. What another no names may be somebody else's
    // session.
    if (opened.url !== undefined && (status < 300 || status === 406) && isOfOrigin(opened.url, url))
      await opened.end().catch(() => undefined);
    throw fault;
  }

  /**
   * Brings a candidate of the probe (RFC 9725, 4.3.2), with all that are found before it is sent. Of those that are
   * refused together the first rejects.
   */
  trickle(candidate: IceCandidate): Promise<void> {
    this.#waiting.push(candidate);
    const patched = this.#patching.then(() => this.#patch(this.#waiting.splice(0)));
    this.#patching = patched.catch(() => undefined);
    return patched;
  }

  async #patch(candidates: readonly IceCandidate[]): Promise<void> {
    if (candidates.length === 0) return;
    // Their end is good to know, and nothing fails for want of it.
    const isEndAlone = candidates.every(({ candidate }) => candidate === '');
    if (isEndAlone && this.url === undefined) return;
    const answer = await this.#askPatch(this.#etag, fragmentOf(this.#offer, candidates));
    if (isEndAlone && answer.status >= 300) return;
    if (answer.status >= 300) throw new WhipRefusal('trickle', answer);
    this.#etag = answer.headers.get('etag') ?? this.#etag;
  }

  /** @param etag of the session of ICE that is meant; absent: the server has named none */
  #askPatch(etag: string | undefined, body: string): Promise<HttpAnswer> {
    if (this.url === undefined) {
      const address = filled(this.#endpoint.address, this.stream);
      throw unspeakable(address, 'it names no Location to bring candidates or an ICE restart to');
    }
    const headers = { ...shownAt(this.#endpoint, this.stream), 'content-type': fragmentType };
    const match = etag === undefined ? {} : { 'if-match': etag };
    return askHttp({
      method: 'PATCH',
      url: this.url,
      headers: { ...headers, ...match },
      body,
      ...askedBy(this.#endpoint),
    });
  }

  /**
   * Restarts ICE by an offer that has its candidates (RFC 9725, 4.3.3): the answer, with the server's new credentials.
   * Throws a WhipRefusal, and E_SERVER_PROTOCOL for what is no answer to it; then all is as it was.
   */
  restart(offer: string): Promise<string> {
    const restarted = this.#patching.then(() => this.#restart(offer));
    this.#patching = restarted.then(
      () => undefined,
      () => undefined,
    );
    return restarted;
  }

  async #restart(offer: string): Promise<string> {
    const answer = await this.#askPatch('*', fragmentOf(offer, candidatesIn(offer)));
    if (answer.status >= 300) throw new WhipRefusal('restart', answer);
    const renewed = restarted(this.answer, answer.text);
    if (renewed === undefined)
      throw unspeakable(answer.url, `it answered ${statusText(answer)} to an ICE restart, without new ICE credentials`);
    this.#etag = answer.headers.get('etag') ?? undefined;
    this.#offer = offer;
    this.answer = renewed;
    return renewed;
  }

  /** Ends it, once its connection is closed. Rejects when the server could and does not. */
  end(): Promise<Ending> {
    return endAt(this.#endpoint, this.stream, this.url);
  }
}

/**
 * Answers to a DELETE that say "not here" of the request and not of the session: such a server is left to notice that
 * the connection is closed.
 */
const takesNoDelete: ReadonlySet<number> = new Set([400, 405, 501]);

/** Rejects when the server does not end it, and nothing says that it cannot (RFC 9725, 4.2). */
export async function endAt(endpoint: WhipEndpoint, stream: string, url: string | undefined): Promise<Ending> {
  if (url === undefined) return { byClosing: 'it names no Location to end them at' };
  const answer = await askHttp({ method: 'DELETE', url, headers: shownAt(endpoint, stream), ...askedBy(endpoint) });
  const { status } = answer;
  // 404 is also said by a server that has no such address.
  if (status === 404 || status === 410)
    return endpoint.way === 'whip' ? { unconfirmed: 'it knows no session at its own Location' } : 'asked';
  if (status < 300) return 'asked';
  if (endpoint.strict || !takesNoDelete.has(status)) throw new WhipRefusal('end', answer);
  const way = endpoint.way.toUpperCase();
  return { byClosing: `it answers ${statusText(answer)} to DELETE of a ${way} session` };
}

/** Why an answer to an offer opens nothing that could be used. `session` is where its Location leads. */
function faultOf(endpoint: WhipEndpoint, answer: HttpAnswer, session: string | undefined): LoadlineError | undefined {
  const { status, text, url } = answer;
  if (status >= 400) return new WhipRefusal(endpoint.way === 'whip' ? 'publish' : 'view', answer);
  if (status !== 201) return unspeakable(url, `it answered ${status} to an offer, and not 201 Created`);
  if (session === undefined && endpoint.strict)
    return unspeakable(url, 'it names no Location by which the session could be ended (RFC 9725, 4.2)');
  if (session !== undefined && !isOfOrigin(session, url)) {
    return unspeakable(url, `its Location leads to another origin, ${session}, which is shown no token of this one's`);
  }
  return isSdp(text) ? undefined : unspeakable(url, 'its answer to the offer is no SDP');
}
