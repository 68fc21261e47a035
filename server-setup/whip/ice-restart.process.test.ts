import { expect, test } from '@playwright/test';
import { anAnswer, type WhipScript } from '../../tests/scripted-whip.js';
import { beginOf, closeAll, failure, offer, publisher, requestOf, started } from '../../tests/whip-stage.js';

test.afterEach(closeAll);

const restartIceAfterMs = 5000;
const candidate = 'a=candidate:1 1 udp 2130706431 127.0.0.1 4000 typ host';
const old = `${anAnswer}a=ice-ufrag:old\r\na=ice-pwd:oldoldoldoldoldoldoldold\r\n${candidate}\r\na=end-of-candidates\r\n`;
const anew = offer
  .replaceAll('a=ice-ufrag:abcd', `a=ice-ufrag:anew\r\n${candidate}`)
  .replaceAll('0123456789abcdef01234567', 'anewpasswordof24letters0');
const fragment = ['m=audio 9 RTP/AVP 0', 'a=mid:0', 'a=ice-ufrag:srv2', 'a=ice-pwd:serverserverserverserver'];

const answeringWith =
  (said: ReturnType<WhipScript>): WhipScript =>
  ({ method }) => {
    if (method === 'POST') return { status: 201, headers: { location: '/s/1', etag: '"1"' }, text: old };
    return method === 'PATCH' ? said : undefined;
  };
const joined = async (said: ReturnType<WhipScript>) => {
  const stage = await started(answeringWith(said), { restartIceAfterMs });
  expect(await stage.opened.begin?.(beginOf(publisher))).toMatchObject({ by: 'probe', restartIceAfterMs });
  await stage.opened.join(requestOf(publisher));
  const told = () => stage.events.flatMap((event) => ('name' in event ? [[event.name, event.detail]] : []));
  return { ...stage, told, restart: () => stage.opened.join(requestOf(publisher, { offer: anew })) };
};

test('a further offer restarts ICE by PATCH with If-Match *, and its answer has the new credentials and candidates', async () => {
  const text = [...fragment, candidate.replace('4000', '5000'), 'a=end-of-candidates', ''].join('\r\n');
  const { restart, scripted, told } = await joined({ status: 200, headers: { etag: '"2"' }, text });
  const { answer, addCandidate } = await restart();
  expect(answer).toBe(
    old
      .replace('old', 'srv2')
      .replace(/oldold\w+/, 'serverserverserverserver')
      .replace('4000', '5000'),
  );
  const patch = scripted.requests.at(-1);
  expect([patch?.method, patch?.path, patch?.headers['if-match']]).toEqual(['PATCH', '/s/1', '*']);
  expect(patch?.body.split('\r\n')).toEqual([
    'a=group:BUNDLE 0 1',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'a=mid:0',
    'a=ice-ufrag:anew',
    'a=ice-pwd:anewpasswordof24letters0',
    candidate,
    'a=end-of-candidates',
    '',
  ]);
  expect(told()).toEqual([['ice-restarted', expect.stringMatching(/^answered in \d+ ms$/)]]);
  // What is found later is of the new session of ICE.
  await addCandidate({ candidate: candidate.slice(2), sdpMid: '0', sdpMLineIndex: 0 }).catch(() => undefined);
  const later = scripted.requests.at(-1);
  expect([later?.headers['if-match'], later?.body]).toEqual(['"2"', expect.stringContaining('a=ice-ufrag:anew')]);
});

test('a restart without candidates keeps those of the answer', async () => {
  const { restart } = await joined({ status: 200, text: `${fragment.join('\r\n')}\r\n` });
  expect((await restart()).answer).toContain(`a=ice-ufrag:srv2\r\na=ice-pwd:serverserverserverserver\r\n${candidate}`);
});

for (const [status, meaning] of [
  [405, 'Its sessions take no PATCH. 405 Method Not Allowed'],
  [501, 'Its sessions take no PATCH. 501 Not Implemented'],
  [422, 'Its sessions take candidates and no restart. 422'],
  [412, 'The session has changed since'],
] as const) {
  test(`a server that answers ${status} to a restart keeps its session, and is told by name`, async () => {
    const { restart, scripted, told } = await joined({ status });
    expect((await failure(restart())).code).toBe('E_SERVER_REFUSED');
    expect(told()).toEqual([
      ['ice-restart-refused', expect.stringContaining(`The media server refused to restart ICE. ${meaning}`)],
    ]);
    expect(scripted.seen().filter((one) => one.startsWith('DELETE'))).toEqual([]);
  });
}

test('a 2xx without new credentials is no restart', async () => {
  const { restart, told } = await joined({ status: 204 });
  expect((await failure(restart())).code).toBe('E_SERVER_PROTOCOL');
  expect(told()[0]?.[1]).toContain('without new ICE credentials');
});
