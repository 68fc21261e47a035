import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { readInfluxAddress } from './influx-address.js';
import { influxWriter, outcomeOf } from './influx-writer.js';

interface Seen {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that keeps what it is sent and answers with one status; `hangs` answers nothing. */
async function aServer(status: number | 'hangs', headers: Readonly<Record<string, string>> = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    seen.push({ url: request.url, authorization: request.headers.authorization, body: await bodyOf(request) });
    if (status !== 'hangs') response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const logins = [
  ['?db=d', { user: 'me', password: 'secret' }, `Basic ${Buffer.from('me:secret').toString('base64')}`],
  ['?db=d', { token: 't' }, 'Token t'],
  ['?db=d', {}, undefined],
  ['?org=o&bucket=b', { token: 't', user: 'me' }, 'Token t'],
  ['?db=d&api=3', { token: 't' }, 'Bearer t'],
] as const;

for (const [query, login, authorization] of logins) {
  test(`with ${query} and ${Object.keys(login).join(', ') || 'no login'} the request says ${authorization?.split(' ')[0] ?? 'nothing'}`, async () => {
    const server = await aServer(204);
    const write = influxWriter(readInfluxAddress(`${server.origin}${query}`), login);
    expect(await write(['m v=1 1', 'm v=2 2'], 2000)).toEqual({ kind: 'taken' });
    expect(server.seen).toEqual([
      { url: expect.stringMatching(/precision=n/), authorization, body: 'm v=1 1\nm v=2 2' },
    ]);
    server.close();
  });
}

test('a redirect is not followed, because it would carry the login elsewhere', async () => {
  const other = await aServer(204);
  const server = await aServer(307, { location: `${other.origin}/write` });
  const write = influxWriter(readInfluxAddress(`${server.origin}?db=d`), { token: 't' });
  expect((await write(['m v=1 1'], 2000)).kind).toBe('failed');
  expect(other.seen).toEqual([]);
  server.close();
  other.close();
});

test('nobody there, and no answer, are failures that say so', async () => {
  const gone = await aServer(204);
  gone.close();
  const nobody = await influxWriter(readInfluxAddress(`${gone.origin}?db=d`), {})(['m v=1 1'], 2000);
  expect(nobody).toEqual({ kind: 'failed', why: 'ECONNREFUSED' });
  const mute = await aServer('hangs');
  const silence = await influxWriter(readInfluxAddress(`${mute.origin}?db=d`), {})(['m v=1 1'], 1000);
  expect(silence).toEqual({ kind: 'failed', why: 'no answer within 1 s' });
  mute.close();
});

const answers = [
  [503, 'busy', null, { kind: 'failed', why: 'it answered 503: busy' }],
  [429, '', '7', { kind: 'failed', why: 'it answered 429: nothing more', retryAfterMs: 7000 }],
  [500, '{"error":"timeout"}', null, { kind: 'failed', why: 'it answered 500: timeout' }],
  [
    401,
    '{"code":"unauthorized","message":"unauthorized access"}',
    null,
    { kind: 'refused', lost: 10, why: 'it answered 401: unauthorized access' },
  ],
  [
    404,
    '{"error":"database not found: \\"x\\""}',
    null,
    { kind: 'refused', lost: 10, why: 'it answered 404: database not found: "x"' },
  ],
  [
    400,
    '{"error":"partial write: field type conflict: … dropped=3"}',
    null,
    { kind: 'refused', lost: 3, why: 'it answered 400: partial write: field type conflict: … dropped=3' },
  ],
  [
    400,
    '{"error":"partial write: unable to parse \'x\': missing fields dropped=0"}',
    null,
    { kind: 'refused', lost: 10, why: "it answered 400: partial write: unable to parse 'x': missing fields dropped=0" },
  ],
] as const;

for (const [status, text, retryAfter, outcome] of answers) {
  test(`${status} ${text} is ${outcome.kind}`, () => {
    expect(outcomeOf(status, text, retryAfter, 10)).toEqual(outcome);
  });
}
