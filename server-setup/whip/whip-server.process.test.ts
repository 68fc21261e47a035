import { expect, test } from '@playwright/test';
import { endOfCandidates } from '../../model/signalling.js';
import { anAnswer, scriptedWhip } from '../../tests/scripted-whip.js';
import {
  beginOf,
  closeAll,
  failure,
  made,
  offer,
  only,
  publisher,
  requestOf,
  session,
  signal,
  started,
  viewer,
  viewer2,
} from '../../tests/whip-stage.js';
import { WhipServer } from './whip-server.js';

test.afterEach(closeAll);

test('an offer is posted for the stream of its participant, and what was opened is ended, viewers first', async () => {
  const { server, scripted, opened } = await started();
  const agreed = await opened.join(requestOf(publisher));
  expect(agreed.answer).toBe(anAnswer);
  await opened.join(requestOf(viewer));
  expect(scripted.open.size).toBe(2);
  const [post, view] = scripted.requests;
  expect(post?.headers['content-type']).toBe('application/sdp');
  expect(post?.body).toBe(offer);
  const stream = /^\/(loadline-[0-9a-f]{8}-1-1p)\/whip$/.exec(post?.path ?? '')?.[1];
  expect(view?.path).toBe(`/${stream}/whep`);
  await opened.close();
  expect(scripted.open.size).toBe(0);
  expect(scripted.seen().slice(2)).toEqual([`DELETE /sessions/2/${stream}/whep`, `DELETE /sessions/1/${stream}/whip`]);
  expect(await server.reset(signal)).toEqual({ how: 'not-provable', tookMs: expect.any(Number) });
});

test('a leg joins once, and again only when it has left', async () => {
  const { scripted, opened } = await started();
  await opened.join(requestOf(publisher));
  expect(await failure(opened.join(requestOf(publisher)))).toMatchObject({ code: 'E_SERVER_REFUSED' });
  await opened.leave?.(publisher.legs.map(({ id }) => id));
  await opened.join(requestOf(publisher));
  expect(scripted.open.size).toBe(1);
});

test('two sessions never share a stream', async () => {
  const { server, scripted, opened } = await started();
  await opened.join(requestOf(publisher));
  await (await server.openSession(session, signal)).join(requestOf(publisher));
  expect(new Set(scripted.requests.map(({ path }) => path)).size).toBe(2);
});

test('tokens and headers come from the environment, each for its endpoint, with the name of the stream in them', async () => {
  const env = { LOADLINE_WHIP_TOKEN: 'key-{stream}', LOADLINE_WHEP_HEADER: 'X-Viewer: v7\nX-Of: {stream}' };
  const { scripted, opened } = await started(undefined, { env });
  await opened.join(requestOf(publisher));
  await opened.join(requestOf(viewer));
  await opened.close();
  for (const { path, headers } of scripted.requests) {
    const stream = /loadline-\w+-1-1p/.exec(path)?.[0];
    const [token, own] = path.endsWith('/whip') ? [`Bearer key-${stream}`, undefined] : [undefined, stream];
    expect([headers.authorization, headers['x-of']]).toEqual([token, own]);
  }
});

test('an address without a place for the stream is refused, unless the token has one', async () => {
  const addresses = { whip: 'https://host/api/whip', whep: 'https://host/api/whep' };
  const rest = { requestTimeoutMs: 1000, streamWithinMs: 1000 };
  expect(() => new WhipServer({ addresses, env: {}, ...rest })).toThrow(/tells one stream from another/);
  const env = { LOADLINE_WHIP_TOKEN: '{stream}', LOADLINE_WHEP_TOKEN: '{stream}' };
  expect(() => new WhipServer({ addresses, env, ...rest })).not.toThrow();
});

test('where the server takes candidates after the offer, they go by PATCH with the ETag, for their media section', async () => {
  const takes = { 'accept-post': 'application/sdp', 'accept-patch': 'application/trickle-ice-sdpfrag' };
  const { scripted, opened } = await started(only('OPTIONS', { status: 200, headers: takes }));
  expect(await opened.begin?.(beginOf(publisher))).toEqual({
    by: 'probe',
    candidates: 'after-the-answer',
    takesEnd: true,
  });
  const agreed = await opened.join(requestOf(publisher));
  const candidate = 'candidate:1 1 udp 2130706431 127.0.0.1 4000 typ host';
  await agreed.addCandidate({ candidate, sdpMid: '1', sdpMLineIndex: 1 });
  const patch = scripted.requests.at(-1);
  expect([patch?.method, patch?.headers['content-type'], patch?.headers['if-match']]).toEqual([
    'PATCH',
    'application/trickle-ice-sdpfrag',
    '"one"',
  ]);
  expect(patch?.body.split('\r\n')).toEqual([
    'a=group:BUNDLE 0 1',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'a=mid:1',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:0123456789abcdef01234567',
    `a=${candidate}`,
    '',
  ]);
});

test('ICE servers that are named before the offer are used for it, and those of the answer with candidates that follow it', async () => {
  const link =
    '<turn:t.example:3478?transport=udp>; rel="ice-server"; username="u"; credential="p,;\\"q"; credential-type="password"';
  const turn = { urls: ['turn:t.example:3478?transport=udp'], username: 'u', credential: 'p,;"q' };
  const before = await started(only('OPTIONS', { status: 200, headers: { 'accept-post': 'application/sdp', link } }));
  expect(await before.opened.begin?.(beginOf(publisher))).toEqual({
    by: 'probe',
    candidates: 'in-one-message',
    iceServers: [turn],
  });
  const after = await started(({ method }) =>
    method === 'POST'
      ? {
          status: 201,
          headers: { location: '/x', link: `${link}, <stun:s.example>; rel=ice-server, </a>; rel="next"` },
          text: anAnswer,
        }
      : undefined,
  );
  const agreed = await after.opened.join(requestOf(publisher));
  expect(agreed.iceServers).toEqual([turn, { urls: ['stun:s.example'] }]);
  expect(after.events.map(({ kind, ...rest }) => [kind, 'name' in rest && rest.name])).toEqual([
    ['other', 'ice-servers-unused'],
  ]);
});

test('extensions of WHEP that are offered are told once, and used by nobody', async () => {
  const link =
    '</l>; rel="urn:ietf:params:whep:ext:core:layer", </e>; rel="urn:ietf:params:whep:ext:core:server-sent-events"';
  const headers = { location: '/x', link };
  const { opened, events } = await started(only('POST', { status: 201, headers, text: anAnswer }));
  for (const one of [viewer, viewer2]) await opened.join(requestOf(one));
  expect(events).toMatchObject([
    {
      name: 'whep-extensions-unused',
      detail: expect.stringMatching(/^offered, and not used: layer, server-sent-events\./),
    },
  ]);
});

test('a viewer asks when its source has been taken, and waits for a stream that is not there as the server says', async () => {
  let asked = 0;
  const { opened, events } = await started(({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/whep')) return undefined;
    asked += 1;
    return asked < 3 ? { status: 404, headers: { 'retry-after': '0' }, text: 'no stream' } : undefined;
  });
  let there = false;
  await opened.begin?.(
    beginOf(viewer, async () => {
      there = true;
    }),
  );
  expect(there).toBe(true);
  await opened.join(requestOf(viewer));
  expect(asked).toBe(3);
  expect(events).toMatchObject(
    [{ kind: 'other', name: 'waiting', leg: viewer.id, detail: /The stream is not there. 404/ }].map(
      ({ detail, ...rest }) => ({ ...rest, detail: expect.stringMatching(detail) }),
    ),
  );
});

test('a viewer does not wait longer than it has time for, and then says what the server said', async () => {
  const { opened } = await started(only('POST', { status: 404, headers: { 'retry-after': '120' }, text: 'later' }));
  const { code, message, why } = await failure(opened.join(requestOf(viewer)));
  expect([code, message, why]).toEqual([
    'E_SERVER_REFUSED',
    'The media server refused to give a stream. The stream is not there.',
    '404 Not Found, Retry-After: 120: later',
  ]);
});

for (const [status, means] of [
  [400, 'It cannot read the offer.'],
  [401, 'It wants a token, or another one.'],
  [403, 'The token does not allow it.'],
  [404, 'There is no such endpoint.'],
  [406, 'It does not accept the offer.'],
  [409, 'The stream is there already.'],
  [413, 'The offer is larger than it takes.'],
  [415, 'It does not take an SDP offer at this address.'],
  [422, 'It can read the offer and cannot work with it, as when it knows none of the codecs.'],
  [429, 'It takes no more requests for now: a limit of their rate.'],
  [503, 'It is overloaded, or shutting down.'],
] as const) {
  test(`a publisher that is refused with ${status} is told what that means here, with the server's own text`, async () => {
    const headers = { 'retry-after': '7' };
    const { scripted, opened } = await started(only('POST', { status, headers, text: 'own <b>text</b>\n' }));
    const { code, message, why } = await failure(opened.join(requestOf(publisher)));
    expect([code, message]).toEqual(['E_SERVER_REFUSED', `The media server refused to take a stream. ${means}`]);
    expect(why).toMatch(new RegExp(`^${status} .+, Retry-After: 7: own <b>text</b>$`));
    // It is not asked again: that it refused is what was to be found out.
    expect(scripted.requests).toHaveLength(1);
  });
}

test('a counter-offer of an older draft of WHEP is named', async () => {
  const { opened } = await started(only('POST', { status: 406, text: anAnswer }));
  const { message, why } = await failure(opened.join(requestOf(viewer)));
  expect(message).toContain('counter-offer, as an older draft of WHEP had it');
  expect(why).toBe('406 Not Acceptable: an SDP of its own');
});

test('what an answer has made is ended also where it cannot be used, and what another no names is left alone', async () => {
  for (const [status, text, ended] of [
    [406, anAnswer, true],
    [200, anAnswer, true],
    [201, 'welcome', true],
    [409, '', false],
  ] as const) {
    const said = only('POST', { status, headers: { location: '/sessions/9' }, text });
    // 409 may mean that nobody publishes yet, so it is asked again for so long.
    const { scripted, opened } = await started(said, { streamWithinMs: 300 });
    await failure(opened.join(requestOf(viewer)));
    expect(scripted.seen().includes('DELETE /sessions/9'), String(status)).toBe(ended);
  }
});

test('an ETag that comes with candidates is the one that the next are brought with', async () => {
  let version = 1;
  const { scripted, opened } = await started(({ method }) => {
    version += 1;
    return method === 'PATCH' ? { status: 204, headers: { etag: `"${version}"` } } : undefined;
  });
  const agreed = await opened.join(requestOf(publisher));
  const candidate = { candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 };
  for (let nth = 0; nth < 2; nth += 1) await agreed.addCandidate(candidate);
  const [first, second] = scripted.requests.flatMap(({ headers }) => headers['if-match'] ?? []);
  expect(first).toBe('"one"');
  expect(second).toMatch(/^"\d+"$/);
});

test('the end of candidates goes after the last of them, and a server that does not want to hear it fails nobody', async () => {
  const { scripted, opened } = await started(({ method, body }) =>
    method === 'PATCH' && !body.includes('a=candidate:') ? { status: 400 } : undefined,
  );
  const agreed = await opened.join(requestOf(publisher));
  const found = { candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 };
  await Promise.all([found, endOfCandidates].map((one) => agreed.addCandidate(one)));
  await agreed.addCandidate(endOfCandidates);
  const [first, second] = scripted.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(first).toMatch(/a=mid:0\r\n[\s\S]*a=candidate:1\r\na=end-of-candidates\r\n$/);
  expect(second).toMatch(/^a=group:BUNDLE 0 1\r\nm=audio [\s\S]*a=ice-pwd:\S+\r\na=end-of-candidates\r\n$/);
});

test('candidates that are found at once go in one PATCH, each in its media section', async () => {
  const { scripted, opened } = await started();
  const agreed = await opened.join(requestOf(publisher));
  const found = ['0', '1', '0'].map((sdpMid, nth) => ({
    candidate: `candidate:${nth}`,
    sdpMid,
    sdpMLineIndex: Number(sdpMid),
  }));
  await Promise.all(found.map((candidate) => agreed.addCandidate(candidate)));
  const [patch, ...more] = scripted.requests.filter(({ method }) => method === 'PATCH');
  expect(more).toEqual([]);
  expect(patch?.body.match(/a=(mid|candidate):\S+/g)).toEqual([
    'a=mid:0',
    'a=candidate:0',
    'a=candidate:2',
    'a=mid:1',
    'a=candidate:1',
  ]);
});

test('a Location of another origin is refused, and nothing is asked there', async () => {
  const elsewhere = await scriptedWhip();
  try {
    const location = `${new URL(elsewhere.whip).origin}/sessions/1`;
    const { opened } = await started(only('POST', { status: 201, headers: { location }, text: anAnswer }));
    const error = await failure(opened.join(requestOf(publisher)));
    expect([error.code, error.why]).toEqual(['E_SERVER_PROTOCOL', expect.stringContaining('another origin')]);
    await opened.close();
    expect(elsewhere.requests).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

test('redirects by 307 and 308 are followed with the body, and what is opened behind them is ended there', async () => {
  const { scripted, opened } = await started(({ method, path }) =>
    method === 'POST' && path.startsWith('/loadline')
      ? { status: path.endsWith('whip') ? 307 : 308, headers: { location: `/near${path}` } }
      : undefined,
  );
  await opened.join(requestOf(publisher));
  expect(scripted.requests.map(({ body }) => body)).toEqual([offer, offer]);
  await opened.close();
  expect(scripted.open.size).toBe(0);
});

for (const [what, script, says] of [
  ['a redirect loop', only('POST', { status: 307, headers: { location: '/again' } }), /redirects more than 5 times/],
  ['a redirect that turns the offer away', only('POST', { status: 302, headers: { location: '/x' } }), /by 302/],
  ['a redirect to nowhere', only('POST', { status: 307, headers: { location: 'http://' } }), /which is no address/],
  [
    'a body of 10 MB',
    only('POST', { status: 201, headers: { location: '/x' }, text: 'x'.repeat(1e7) }),
    /more than 1 MB/,
  ],
  ['a 200 instead of a 201', only('POST', { status: 200, text: anAnswer }), /answered 200 to an offer/],
] as const) {
  test(`${what} is named, and not taken for media that fails`, async () => {
    const { opened } = await started(script);
    const error = await failure(opened.join(requestOf(publisher)));
    expect(error.code).toBe('E_SERVER_PROTOCOL');
    expect(error.why).toMatch(says);
  });
}

test('an answer that is no SDP is named, and what was opened for it is ended', async () => {
  const { scripted, opened } = await started(
    only('POST', { status: 201, headers: { location: '/sessions/1' }, text: '<html></html>' }),
  );
  const error = await failure(opened.join(requestOf(publisher)));
  expect([error.code, error.why]).toEqual(['E_SERVER_PROTOCOL', 'its answer to the offer is no SDP']);
  expect(scripted.seen().at(-1)).toBe('DELETE /sessions/1');
});

test('a Location that leads nowhere refuses candidates by name', async () => {
  const { opened } = await started(only('POST', { status: 201, headers: { location: '/nowhere' }, text: anAnswer }));
  const agreed = await opened.join(requestOf(publisher));
  const { message } = await failure(agreed.addCandidate({ candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 }));
  expect(message).toContain('The session is not there: it has ended, or its Location leads nowhere.');
});

test('a server that is silent is given up in the time of a request', async () => {
  const { opened } = await started(only('POST', 'silence'), { requestTimeoutMs: 200 });
  const { code, message } = await failure(opened.join(requestOf(publisher)));
  expect([code, message]).toEqual(['E_SERVER_TIMEOUT', 'The media server did not answer (POST) in 0.2 s.']);
});

test('what was opened for somebody who has left meanwhile is ended', async () => {
  const leaving = new AbortController();
  const { scripted, opened } = await started(({ method }) => {
    if (method === 'POST') leaving.abort(new Error('gone'));
    return undefined;
  });
  const { message } = await failure(opened.join(requestOf(publisher, { signal: leaving.signal })));
  expect(message).toBe('gone');
  expect([scripted.requests.length, scripted.open.size]).toEqual([2, 0]);
});

test('what could not be ended is ended in the reset, or there is no clean server', async () => {
  let broken = true;
  const { server, scripted, opened } = await started(({ method }) =>
    method === 'DELETE' && broken ? { status: 500, text: 'out of order' } : undefined,
  );
  await opened.join(requestOf(publisher));
  expect((await failure(opened.close())).message).toContain('refused to end a session');
  const error = await failure(server.reset(signal));
  expect([error.code, error.why]).toEqual(['E_NOT_CLEAN', expect.stringContaining('out of order')]);
  broken = false;
  expect(await server.reset(signal)).toMatchObject({ how: 'not-provable', released: 1 });
  expect(scripted.open.size).toBe(0);
});

test('of a server that is gone nobody says that it still holds something: it went away', async () => {
  const { server, scripted, opened } = await started();
  await opened.join(requestOf(publisher));
  await scripted.close();
  const error = await failure(server.reset(signal));
  expect([error.code, error.message]).toEqual([
    'E_SERVER_LOST',
    'The media server went away: it cannot be reached any more.',
  ]);
  expect(error.why).not.toBe('');
});

test('an HTTP server that is no WHIP server is told at the start', async () => {
  for (const status of [200, 404, 405, 501]) {
    const { server } = await made(() => ({ status, text: 'It works!' }));
    const error = await failure(server.start(signal));
    expect([error.code, error.message]).toEqual([
      'E_SERVER_PROTOCOL',
      'An HTTP server answers there, and takes no offers of WHIP.',
    ]);
  }
});

test('a server that names nothing in OPTIONS is known by how it refuses what is no offer, and a wrong token is told', async () => {
  const refusing = (status: number) => made(({ method }) => ({ status: method === 'POST' ? status : 405 }));
  const { server } = await refusing(400);
  expect(await server.start(signal)).toMatchObject({ kind: 'whip', nature: 'product', sameHost: true });
  const error = await failure((await refusing(401)).server.start(signal));
  expect([error.code, error.todo]).toEqual(['E_SERVER_REFUSED', expect.stringContaining('LOADLINE_WHIP_TOKEN')]);
});

test('a port where nobody listens is told at the start', async () => {
  const { scripted, server } = await made();
  await scripted.close();
  expect(await failure(server.start(signal))).toMatchObject({ code: 'E_SERVER_UNREACHABLE' });
});
