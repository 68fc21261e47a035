import { expect, test } from '@playwright/test';
import { scriptedWhip } from '../../tests/scripted-whip.js';
import { askHttp } from './http-request.js';
import { isOfOrigin, whyNotSentOn } from './sent-on.js';

// Names of RFC 2606 are never resolved: what is not known to be near is not refused for it.
for (const [from, to, login, why] of [
  ['https://whip.example/', 'https://eu.whip.example/v1', true, undefined],
  ['https://203.0.113.7/', 'https://203.0.113.8/', true, undefined],
  ['http://203.0.113.7:1/', 'http://203.0.113.7:1/other', true, undefined],
  ['http://203.0.113.7:1/', 'http://203.0.113.7:2/', false, undefined],
  ['http://203.0.113.7:1/', 'http://203.0.113.7:2/', true, /by http/],
  ['https://203.0.113.7/', 'http://203.0.113.7/', false, /from https to/],
  ['https://203.0.113.7/', 'https://10.0.0.1/', false, /nearer/],
  ['https://203.0.113.7/', 'https://[::1]/', false, /nearer/],
  ['https://10.0.0.1/', 'https://localhost/', false, /nearer/],
  ['https://10.0.0.1/', 'http://169.254.169.254/latest', false, /from https to/],
  ['http://10.0.0.1/', 'http://169.254.169.254/latest', false, /nearer/],
  ['http://10.0.0.1/', 'http://10.0.0.2/', false, undefined],
  ['http://10.0.0.1/', 'file:///etc/passwd', false, /no web/],
] as const) {
  test(`a request ${login ? 'with' : 'without'} a login is ${why ? 'not ' : ''}sent on from ${from} to ${to}`, async () => {
    const said = await whyNotSentOn(from, to, login);
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(why);
  });
}

test('a session is of the origin that answered: host, port and scheme', () => {
  expect(isOfOrigin('https://a.example/s/1', 'https://a.example/whip')).toBe(true);
  for (const other of [
    'http://a.example/s/1',
    'https://a.example:8443/s/1',
    'https://b.example/s/1',
    'file:///s/1',
    'https://u:p@a.example/s/1',
  ])
    expect(isOfOrigin(other, 'https://a.example/whip'), other).toBe(false);
});

test('a redirect by http to another origin is followed without a login, and never with one', async () => {
  const elsewhere = await scriptedWhip();
  const location = elsewhere.whip.replace('{stream}', 'a');
  const scripted = await scriptedWhip(() => ({ status: 307, headers: { location } }));
  const order = { method: 'POST', url: scripted.whip.replace('{stream}', 'a'), body: 'v=0', timeoutMs: 5000 } as const;
  try {
    expect((await askHttp({ ...order, headers: { 'content-type': 'application/sdp' } })).status).toBe(201);
    const shown = askHttp({ ...order, headers: { authorization: 'Bearer hush' } });
    await expect(shown).rejects.toMatchObject({ code: 'E_SERVER_PROTOCOL', why: expect.stringContaining('by http') });
    expect(elsewhere.seen()).toEqual(['POST /a/whip']);
  } finally {
    await scripted.close();
    await elsewhere.close();
  }
});

test('method, body and token go along with a redirect, and the address is that of who answered last', async () => {
  const seen: string[] = [];
  // On one host by another path: to another host a token goes by https alone, as above.
  const location = '/v1/publish';
  const global = await scriptedWhip(({ method, path, headers, body }) => {
    seen.push(`${method} ${path} ${headers.authorization ?? ''} ${body.length}`);
    return method === 'POST' && path !== location ? { status: 307, headers: { location } } : undefined;
  });
  try {
    const url = global.whip.replace('{stream}', 'a');
    const headers = { authorization: 'Bearer hush' };
    const answer = await askHttp({ method: 'POST', url, headers, body: 'v=0', timeoutMs: 5000 });
    expect([answer.status, new URL(answer.url).pathname]).toEqual([201, location]);
    expect(seen).toEqual(['POST /a/whip Bearer hush 3', 'POST /v1/publish Bearer hush 3']);
  } finally {
    await global.close();
  }
});
