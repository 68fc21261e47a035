import { LoadlineError } from '../../model/errors.js';
import type { StandardCheck } from '../server-kind.js';
import { askedBy, shownAt, type WhipEndpoint } from './endpoint.js';
import { filled } from './endpoint-url.js';
import { askHttp, type HttpAnswer, locationOf, statusText } from './http-request.js';
import { iceServersOf } from './link-header.js';
import { isSdp } from './refusals.js';
import { fragmentOf, fragmentType } from './sdp-fragment.js';
import { isOfOrigin } from './sent-on.js';
import { should, verdict } from './standard-check.js';

type Said = HttpAnswer | LoadlineError;
type Method = Parameters<typeof askHttp>[0]['method'];

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Ask = (method: Method, url: string, sent?: Sent) => Promise<Said>;

const sdp = { 'content-type': 'application/sdp' };
const fragment = { 'content-type': fragmentType };
const plain = { 'content-type': 'text/plain' };
/** Nobody's address (RFC 5737), from which a server hears nothing. */
const candidate = {
  candidate: 'candidate:1 1 tcp 1518280447 192.0.2.1 9 typ host tcptype active generation 0',
  sdpMid: '0',
  sdpMLineIndex: 0,
};

/**
 * Holds an endpoint of WHIP to RFC 9725, request by request: headers, errors, one session with candidates and an
 * ICE restart, and its end. The session has no media.
 */
export async function conformanceOf(
  endpoint: WhipEndpoint,
  { stream, offer, signal }: { readonly stream: string; readonly offer: string; readonly signal: AbortSignal },
): Promise<readonly StandardCheck[]> {
  const shown = shownAt(endpoint, stream);
  const ask: Ask = (method, url, { headers = {}, ...rest } = {}) =>
    askHttp({ method, url, headers: { ...shown, ...headers }, ...rest, ...askedBy(endpoint), signal }).catch(
      (error: unknown) => {
        if (error instanceof LoadlineError && error.code === 'E_SERVER_PROTOCOL') return error;
        throw error;
      },
    );
  const url = filled(endpoint.address, stream);
  const before = await endpointChecks(ask, url);
  const created = await ask('POST', url, { headers: sdp, body: offer });
  return [...before, ...publishChecks(created), ...(await sessionChecks(ask, created, offer))];
}

async function endpointChecks(ask: Ask, url: string): Promise<readonly StandardCheck[]> {
  const options = await ask('OPTIONS', url);
  const takes = headerOf(options, 'accept-post') ?? 'none';
  const get = await ask('GET', url);
  return [
    must('4.2 MUST be supported', 'OPTIONS', options, isFine(options)),
    should('4.2 SHOULD be application/sdp', `Accept-Post of OPTIONS: ${takes}`, /application\/sdp/i.test(takes)),
    mustBeEmpty('GET of the endpoint', get),
    mustRefuse('4.2', 'POST of another type', await ask('POST', url, { headers: plain, body: 'hello' })),
    mustRefuse('4.2', 'POST of a malformed SDP', await ask('POST', url, { headers: sdp, body: 'v=0\r\nhello\r\n' })),
  ];
}

function publishChecks(created: Said): readonly StandardCheck[] {
  const type = headerOf(created, 'content-type') ?? 'none';
  const links = iceServersOf(headerOf(created, 'link') ?? null);
  const first = must('4.2 MUST be 201 Created', 'POST of an offer', created, statusOf(created) === 201);
  if (created instanceof LoadlineError || !isFine(created)) return [first];
  const location = locationOf(created);
  return [
    first,
    verdict('4.2 MUST be application/sdp', `content type of the answer: ${type}`, /^application\/sdp\b/i.test(type)),
    ...answerChecks(textOf(created)),
    verdict('4.2 MUST be there', `Location: ${location ?? 'none'}`, location !== undefined),
    should(
      '4.6 can be used by nobody',
      `ICE servers of Link: ${[...links.iceServers.flatMap(({ urls }) => urls), ...links.unusable].join(', ') || 'none'}`,
      links.unusable.length === 0,
    ),
  ];
}

async function sessionChecks(ask: Ask, created: Said, offer: string): Promise<readonly StandardCheck[]> {
  const url = created instanceof LoadlineError ? undefined : locationOf(created);
  if (url === undefined || created instanceof LoadlineError) return [];
  if (!isOfOrigin(url, created.url))
    return [{ mark: 'not-offered', section: '4.2', text: 'the Location is of another origin: nothing is asked there' }];
  const etag = headerOf(created, 'etag');
  const patches = await patchChecks(ask, url, offer, etag);
  const get = await ask('GET', url);
  return [...patches, mustBeEmpty('GET of the session', get), ...(await endingChecks(ask, url))];
}

async function patchChecks(ask: Ask, url: string, offer: string, etag: string | undefined) {
  const known = etag === undefined ? {} : { 'if-match': etag };
  const body = `${fragmentOf(offer, [candidate])}a=end-of-candidates\r\n`;
  const patch = (headers: Readonly<Record<string, string>>, text = body) => ask('PATCH', url, { headers, body: text });
  const trickled = await patch({ ...fragment, ...known });
  const trickles = isFine(trickled);
  const checks = [
    mustRefuse('4.3.1', 'PATCH of another type', await patch({ ...plain, ...known })),
    mustRefuse('4.3.1', 'PATCH of a malformed fragment', await patch({ ...fragment, ...known }, 'hello')),
    ...(trickles ? trickleChecks(trickled) : [notOffered('4.3.2', 'candidates by PATCH', trickled)]),
  ];
  if (trickles && etag !== undefined) {
    const none = await patch(fragment);
    const other = await patch({ ...fragment, 'if-match': '"of-another-session"' });
    checks.push(
      must('4.3.1 is to be 428 Precondition Required', 'PATCH without If-Match', none, statusOf(none) === 428),
      must('4.3.1 is to be 412 Precondition Failed', 'PATCH with another ETag', other, statusOf(other) === 412),
    );
  }
  const anew = await patch({ ...fragment, 'if-match': '*' }, restartOf(body));
  return [...checks, ...restartChecks(anew, trickles, etag), ...tagChecks(etag, trickles, hasCredentials(anew))];
}

/** 4.3.1 wants a tag where ICE can be restarted, else leaves it open; 4.3.2 wants it where candidates go, too. */
function tagChecks(etag: string | undefined, trickles: boolean, restarts: boolean): readonly StandardCheck[] {
  if (!trickles && !restarts) return [];
  const rule = restarts
    ? '4.3.1 MUST be there, and strong'
    : '4.3.2 is to be there where candidates are taken, and strong';
  return [(restarts ? verdict : should)(rule, `ETag of the session: ${etag ?? 'none'}`, /^"[^"]*"$/.test(etag ?? ''))];
}

function trickleChecks(trickled: Said): readonly StandardCheck[] {
  const again = headerOf(trickled, 'etag');
  return [
    must('4.3.2 MUST be 204 No Content', 'candidates by PATCH', trickled, statusOf(trickled) === 204),
    verdict('4.3.2 MUST NOT be there', `ETag of that: ${again ?? 'none'}`, again === undefined),
  ];
}

/** With `*` it is not asked of which session of ICE (RFC 9110, 13.1.1). */
function restartChecks(anew: Said, trickles: boolean, etag: string | undefined): readonly StandardCheck[] {
  const what = 'an ICE restart by PATCH';
  if (!isFine(anew)) {
    if (!trickles) return [notOffered('4.3.3', what, anew)];
    const refused = notOffered('4.3.3', what, anew);
    return statusOf(anew) === 422
      ? [refused]
      : [must('4.3.1 MUST be 422 where only candidates are taken', what, anew, false)];
  }
  const now = headerOf(anew, 'etag');
  return [
    must('4.3.3 SHALL be 200 with new ICE credentials', what, anew, statusOf(anew) === 200 && hasCredentials(anew)),
    verdict('4.3.3 MUST be a new one', `ETag of that: ${now ?? 'none'}`, now !== undefined && now !== etag),
  ];
}

async function endingChecks(ask: Ask, url: string): Promise<readonly StandardCheck[]> {
  const tagged = await ask('DELETE', url, { headers: { 'if-match': '"of-another-session"' } });
  const isIgnored = statusOf(tagged) !== 412 && statusOf(tagged) !== 428;
  const ended = isIgnored ? tagged : await ask('DELETE', url);
  const tags = isIgnored ? [] : [must('4.3.1 MUST ignore the ETag', 'DELETE with another ETag', tagged, false)];
  const first = must('4.2 MUST end it', 'DELETE of the session', ended, isFine(ended));
  if (!isFine(ended)) return [...tags, first];
  const again = await ask('DELETE', url);
  const isGone = statusOf(again) === 404 || statusOf(again) === 410;
  return [...tags, first, should('4.2 the session is to be gone', `the same again: ${seen(again)}`, isGone)];
}

const hasCredentials = (said: Said): boolean =>
  isFine(said) && /^a=ice-ufrag:/m.test(textOf(said)) && /^a=ice-pwd:/m.test(textOf(said));

const restartOf = (body: string): string =>
  body
    .replace(/^a=ice-ufrag:.*$/gm, 'a=ice-ufrag:neWu')
    .replace(/^a=ice-pwd:.*$/gm, 'a=ice-pwd:anewpasswordof24letters0');

const statusOf = (said: Said): number | undefined => (said instanceof LoadlineError ? undefined : said.status);
const textOf = (said: Said): string => (said instanceof LoadlineError ? '' : said.text);
const isFine = (said: Said): boolean => (statusOf(said) ?? 999) < 300;
const headerOf = (said: Said, name: string): string | undefined =>
  said instanceof LoadlineError ? undefined : (said.headers.get(name) ?? undefined);

function seen(said: Said): string {
  if (said instanceof LoadlineError) return said.why ?? said.message;
  return statusText(said);
}

/** @param rule the section of the standard, and what it has */
const must = (rule: string, what: string, said: Said, fine: boolean): StandardCheck =>
  verdict(rule, `${what}: ${seen(said)}`, fine);

/** What drafts of WHIP to 14 asked for is told, for servers that were written after one. */
function mustBeEmpty(what: string, said: Said): StandardCheck {
  const asBefore = statusOf(said) === 405 ? ' (405 was the rule of drafts to 14)' : '';
  return must(`4.1 MUST be a 2xx without content${asBefore}`, what, said, isFine(said) && textOf(said) === '');
}

const mustRefuse = (section: string, what: string, said: Said): StandardCheck => {
  const status = statusOf(said) ?? 0;
  return must(`${section} MUST be refused with a 4xx`, what, said, status >= 400 && status < 500);
};

const notOffered = (section: string, what: string, said: Said): StandardCheck => ({
  mark: 'not-offered',
  section,
  text: `${what}: ${seen(said)}`,
});

/** What RFC 9725 asks of the SDP that answers an offer of a publisher. */
function answerChecks(answer: string): readonly StandardCheck[] {
  if (!isSdp(answer)) return [verdict('4.2 MUST be an SDP answer', 'the answer is no SDP', false)];
  const sections = answer.split(/\r?\n(?=m=)/).slice(1);
  const taken = sections.filter((section) => !/^m=\S+ 0 /.test(section));
  const havingLine = (line: string) => taken.filter((section) => section.split(/\r?\n/).includes(line)).length;
  const [receiving, muxed] = [havingLine('a=recvonly'), havingLine('a=rtcp-mux')];
  const candidates = answer.match(/^a=candidate:/gm)?.length ?? 0;
  const bundles = /^a=group:BUNDLE /m.test(answer);
  const refused = sections.length - taken.length;
  const of = (some: number) => `${some} of ${taken.length} sections`;
  return [
    verdict('4.2 MUST be in each', `recvonly: ${of(receiving)}`, receiving === taken.length),
    verdict('4.3.2 SHALL all be there', `candidates in the answer: ${candidates}`, candidates > 0),
    verdict('4.4.1 SHALL be used', `BUNDLE: ${bundles ? 'yes' : 'no'}`, bundles),
    verdict('4.4.1 SHALL be in each', `rtcp-mux: ${of(muxed)}`, muxed === taken.length),
    should('4.4.3 SHOULD NOT be refused one by one', `refused sections: ${refused}`, refused === 0),
  ];
}
