import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../server.js';
import { readFragment } from './streams.js';
import { whipTarget } from './whip-http.js';

let server: EmbeddedServer;
test.beforeAll(async () => {
  server = await startEmbeddedServer({ port: 0, version: '9.9.9' });
});
test.afterAll(() => server.close());

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const offerOf = (direction: 'sendonly' | 'recvonly', codec = 'VP8') =>
  [
    'v=0',
    'o=- 1 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:0123456789abcdef01234567',
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:actpass',
    'a=rtcp-mux',
    `a=${direction}`,
    `a=rtpmap:96 ${codec}/90000`,
    '',
  ].join('\r\n');

const at = (way: 'whip' | 'whep', stream: string) => server[way].replace('{stream}', stream);
const post = (way: 'whip' | 'whep', stream: string, body: string, type = 'application/sdp') =>
  fetch(at(way, stream), { method: 'POST', headers: { 'content-type': type }, body });
const publish = (stream: string) => post('whip', stream, offerOf('sendonly'));
const placeOf = (response: Response) => new URL(response.headers.get('location') ?? '', response.url).href;
const endpoints = async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/loadline/resources`);
  return ((await response.json()) as { readonly endpoints: number }).endpoints;
};

test('an offer is answered with every candidate of the server, and the session that it made ends by DELETE', async () => {
  const made = await publish('one');
  const answer = await made.text();
  expect([made.status, made.headers.get('content-type')]).toEqual([201, 'application/sdp']);
  expect(made.headers.get('server')).toBe('loadline-embedded/9.9.9');
  expect(answer).toMatch(/^a=candidate:1 1 UDP \d+ 127\.0\.0\.1 \d+ typ host\r$/m);
  expect(answer).toMatch(/^a=recvonly\r$/m);
  const viewed = await post('whep', 'one', offerOf('recvonly'));
  expect(await viewed.text()).toMatch(/^a=sendonly\r$/m);
  expect(await endpoints()).toBe(2);
  expect((await fetch(placeOf(viewed), { method: 'DELETE' })).status).toBe(200);
  expect((await fetch(placeOf(viewed), { method: 'DELETE' })).status).toBe(404);
  expect(await endpoints()).toBe(1);
  expect((await fetch(placeOf(made), { method: 'DELETE' })).status).toBe(200);
  expect(await endpoints()).toBe(0);
});

test('with its publisher a stream ends for its viewers, and may be published anew', async () => {
  const made = await publish('two');
  const viewed = await post('whep', 'two', offerOf('recvonly'));
  expect((await publish('two')).status).toBe(409);
  await fetch(placeOf(made), { method: 'DELETE' });
  expect((await fetch(placeOf(viewed), { method: 'DELETE' })).status).toBe(404);
  const again = await publish('two');
  expect(again.status).toBe(201);
  await fetch(placeOf(again), { method: 'DELETE' });
  expect(await endpoints()).toBe(0);
});

test('candidates are taken by PATCH with the ETag, and other credentials restart ICE, which has another ETag', async () => {
  const made = await publish('three');
  const line = 'a=candidate:1 1 udp 2130706431 127.0.0.1 4000 typ host';
  const patch = async (etag: string | undefined, body: string) => {
    const headers = { 'content-type': 'application/trickle-ice-sdpfrag', ...(etag ? { 'if-match': etag } : {}) };
    return (await fetch(placeOf(made), { method: 'PATCH', headers, body })).status;
  };
  const etag = made.headers.get('etag') ?? '';
  const answer = made.text();
  expect(await patch(etag, `a=ice-ufrag:abcd\r\nm=video 9 RTP/AVP 0\r\na=mid:0\r\n${line}\r\n`)).toBe(204);
  expect(await patch(undefined, `${line}\r\n`)).toBe(428);
  expect(await patch('"other"', `${line}\r\n`)).toBe(412);
  expect(await patch(etag, 'a=ice-ufrag:anew\r\n')).toBe(400);
  expect(await patch(etag, 'candidates!')).toBe(400);
  const restart = 'm=video 9 RTP/AVP 0\r\na=mid:0\r\na=ice-ufrag:anew\r\na=ice-pwd:0123456789abcdef01234567\r\n';
  const headers = { 'content-type': 'application/trickle-ice-sdpfrag', 'if-match': '*' };
  const restarted = await fetch(placeOf(made), { method: 'PATCH', headers, body: restart });
  const now = readFragment(await restarted.text());
  expect([restarted.status, restarted.headers.get('content-type')]).toEqual([200, headers['content-type']]);
  const before = /^a=ice-ufrag:(\S+)/m.exec(await answer)?.[1];
  expect([now?.candidates.length, now?.iceUfrag === before, now?.icePwd?.length]).toEqual([1, false, 22]);
  expect([await patch(etag, `${line}\r\n`), restarted.headers.get('etag') === etag]).toEqual([412, false]);
  await fetch(placeOf(made), { method: 'DELETE' });
});

test('what cannot be served is refused with the status that says why, and leaves nothing', async () => {
  const statusOf = async (response: Promise<Response>) => (await response).status;
  expect(await statusOf(post('whip', 'four', 'v=0\r\n'))).toBe(400);
  expect(await statusOf(post('whip', 'four', offerOf('sendonly', 'MPV')))).toBe(422);
  expect(await statusOf(post('whip', 'four', offerOf('sendonly'), 'text/plain'))).toBe(415);
  expect(await statusOf(post('whip', 'four', 'x'.repeat(300_000)))).toBe(413);
  expect(await statusOf(fetch(at('whip', 'four')))).toBe(204);
  expect(await statusOf(fetch(at('whip', 'four'), { method: 'PUT' }))).toBe(405);
  const absent = await post('whep', 'four', offerOf('recvonly'));
  expect([absent.status, absent.headers.get('retry-after')]).toEqual([404, '1']);
  expect(await endpoints()).toBe(0);
});

test('OPTIONS names what is taken', async () => {
  const { status, headers } = await fetch(at('whip', 'five'), { method: 'OPTIONS' });
  const named = ['allow', 'accept-post', 'accept-patch'].map((name) => headers.get(name));
  expect([status, ...named]).toEqual([204, 'OPTIONS, GET, POST', 'application/sdp', 'application/trickle-ice-sdpfrag']);
});

test('a page of the web may not publish here, and a token that is asked for must be shown', async () => {
  const headers = { 'content-type': 'application/sdp' };
  const foreign = await fetch(at('whip', 'six'), {
    method: 'POST',
    headers: { ...headers, origin: 'https://example.org' },
  });
  expect(foreign.status).toBe(403);
  const guarded = await startEmbeddedServer({ port: 0, token: '0123456789abcdef' });
  try {
    const url = guarded.whip.replace('{stream}', 'six');
    const ask = async (more: object) =>
      (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: 'v=0\r\n' })).status;
    expect([await ask({}), await ask({ authorization: 'Bearer 0123456789abcdef' })]).toEqual([401, 400]);
  } finally {
    await guarded.close();
  }
});

test('only addresses of streams are taken from the other protocol', () => {
  expect(whipTarget('/a-1/whip')).toEqual({ stream: 'a-1', way: 'whip' });
  expect(whipTarget('/a/whep/id-1')).toEqual({ stream: 'a', way: 'whep', id: 'id-1' });
  for (const path of ['/kurento', '/loadline/resources', '/a/b/whip', '/a/whip/b/c', '/../whip/x/y', '/a%2f/whip']) {
    expect(whipTarget(path)).toBeUndefined();
  }
});

test('a fragment is read line by line, whatever is around its candidates', () => {
  const text = 'a=group:BUNDLE 0\na=ice-ufrag:u\nm=audio 9 RTP/AVP 0\na=mid:0\na=candidate:1 x\na=end-of-candidates\n';
  expect(readFragment(text)).toEqual({ candidates: ['candidate:1 x'], iceUfrag: 'u' });
  expect(readFragment('')).toBeUndefined();
  expect(readFragment('{"candidate":1}')).toBeUndefined();
});
