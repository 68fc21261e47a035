import { given } from '../../model/given.js';
import type { IceServer } from '../../model/signalling.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import type { ShownHeaders, WhipProtocol } from './credentials.js';
import { filled } from './endpoint-url.js';
import { askHttp, locationOf, unspeakable } from './http-request.js';
import { iceServersOf } from './link-header.js';
import { WhipRefusal } from './refusals.js';
import { fragmentType } from './sdp-fragment.js';
import { isOfOrigin } from './sent-on.js';

/** The endpoint of WHIP or that of WHEP, for any stream. */
export interface WhipEndpoint {
  readonly way: WhipProtocol;
  /** With `{stream}` in it. */
  readonly address: string;
  /** The same. */
  readonly shown: ShownHeaders;
  /** For any one request. */
  readonly timeoutMs: number;
  /** What the standard forbids is an error. Absent: a server is taken as it is. */
  readonly strict?: boolean;
  /** Throws of an address that is not to be asked, redirects included; absent: all may. */
  readonly mayAsk?: (url: string) => void;
  /** Absent: nobody counts. */
  readonly traffic?: TrafficCount;
}

/** What an endpoint said of itself at the start: the same then holds for every participant. */
export interface KnownEndpoint extends WhipEndpoint {
  /** It names the type of candidates that are brought after the offer; without that they all stand in the offer. */
  readonly trickles: boolean;
  readonly iceServers: readonly IceServer[];
  /** ICE servers that it names and nobody can use, a sentence part each. */
  readonly unusable: readonly string[];
  /** Its `Server` header. */
  readonly software: string | undefined;
}

/** No media and no ICE credentials: nothing can come of it, and a server of WHIP or WHEP says so. */
const noOffer = 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n';

export function shownAt({ shown }: WhipEndpoint, stream: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, filled(value, stream)]));
}

/** Asks an endpoint what it is (OPTIONS; RFC 9725, 4.2 and 4.6). Throws where nothing there takes offers. */
export async function inspectEndpoint(
  endpoint: WhipEndpoint,
  stream: string,
  signal: AbortSignal,
): Promise<KnownEndpoint> {
  const url = filled(endpoint.address, stream);
  const rest = { url, ...askedBy(endpoint), signal };
  const answer = await askHttp({ method: 'OPTIONS', headers: shownAt(endpoint, stream), ...rest });
  const says = (name: string, what: string) => (answer.headers.get(name) ?? '').toLowerCase().includes(what);
  if (!says('accept-post', 'application/sdp')) await assertTakesOffers(endpoint, stream, signal);
  return {
    ...endpoint,
    trickles: says('accept-patch', fragmentType),
    ...iceServersOf(answer.headers.get('link')),
    software: softwareOf(answer.headers.get('server')),
  };
}

/** An endpoint that does not name what it takes is told by how it refuses what is no offer. */
async function assertTakesOffers(endpoint: WhipEndpoint, stream: string, signal: AbortSignal): Promise<void> {
  const answer = await askWithoutOffer(endpoint, stream, signal);
  const { status, url } = answer;
  const asked = endpoint.way === 'whip' ? 'publish' : 'view';
  if (status === 401 || status === 403) throw new WhipRefusal(asked, answer);
  if (status === 201) return;
  // Where viewers are served, 404 is also said of a stream that is not there.
  const isAbsent = status === 405 || status === 501 || (status === 404 && endpoint.way === 'whip');
  if (status < 300 || isAbsent) {
    const why = `it answered ${status} to a POST of application/sdp`;
    throw unspeakable(url, why, `An HTTP server answers there, and takes no offers of ${endpoint.way.toUpperCase()}.`);
  }
}

/** Asks for a stream with what no server can work with, and ends what one has made of it all the same. */
export async function askWithoutOffer(endpoint: WhipEndpoint, stream: string, signal: AbortSignal) {
  const answer = await postSdp(endpoint, stream, noOffer, signal);
  const { status, url } = answer;
  const made = locationOf(answer);
  if (status === 201 && made !== undefined) {
    if (!isOfOrigin(made, url)) throw unspeakable(url, `its Location leads to another origin, ${made}`);
    await askHttp({ method: 'DELETE', url: made, headers: shownAt(endpoint, stream), ...askedBy(endpoint), signal });
  }
  return answer;
}

export function postSdp(endpoint: WhipEndpoint, stream: string, body: string, signal?: AbortSignal) {
  return askHttp({
    method: 'POST',
    url: filled(endpoint.address, stream),
    headers: { ...shownAt(endpoint, stream), 'content-type': 'application/sdp', accept: 'application/sdp' },
    body,
    ...askedBy(endpoint),
    signal,
  });
}

/** Bounds and counts of every request to an endpoint. */
export function askedBy({ timeoutMs, mayAsk, traffic }: WhipEndpoint) {
  return given({ timeoutMs, mayAsk, traffic });
}

/** What often stands in front of a media server, and then answers with its own name and version. */
const proxies = /^(nginx|openresty|caddy|cloudflare|envoy|istio-envoy|apache|traefik|haproxy|varnish|awselb)\b/i;

/** Of a media server alone: that of a proxy stays the same when the server behind it is another one. */
function softwareOf(header: string | null): string | undefined {
  return header === null || proxies.test(header) ? undefined : header;
}
