import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pid } from 'node:process';
import { expect, test } from '@playwright/test';
import { anAnswer, type WhipScript } from '../../tests/scripted-whip.js';
import { soon } from '../../tests/soon.js';
import {
  closeAll,
  failure,
  only,
  publisher,
  requestOf,
  session,
  signal,
  started,
  viewer,
  viewer2,
} from '../../tests/whip-stage.js';

test.afterEach(closeAll);

/** A server that answers so to DELETE, and says of a stream that nobody publishes that it is not there. */
const endingWith =
  (status: number | 'no-location', stays = false): WhipScript =>
  ({ method, path, body }) => {
    if (method === 'DELETE' && status !== 'no-location') return { status };
    if (method !== 'POST') return undefined;
    const isOffer = body.includes('a=mid:');
    if (!isOffer) return { status: stays && !path.includes('never') ? 400 : 404 };
    return status === 'no-location' ? { status: 201, text: anAnswer } : undefined;
  };

for (const [ends, why] of [
  [400, 'it answers 400 Bad Request to DELETE of a WHEP session'],
  [405, 'it answers 405 Method Not Allowed to DELETE of a WHEP session'],
  [501, 'it answers 501 Not Implemented to DELETE of a WHEP session'],
  ['no-location', 'it names no Location to end them at'],
] as const) {
  test(`of a server with ${ends} sessions end by closing, their streams are looked at once more, and both are told`, async () => {
    const { server, scripted, opened, events } = await started(endingWith(ends));
    for (const one of session.participants) await opened.join(requestOf(one));
    await opened.close();
    const proof = await server.reset(signal);
    expect(proof.how).toBe('not-provable');
    expect(proof.byClosing).toMatchObject({ connections: 3, streams: 1, still: 0 });
    expect(proof.byClosing?.why).toContain(why);
    expect(events.filter((event) => 'name' in event && event.name === 'ended-by-closing')).not.toEqual([]);
    const asked = scripted.requests.filter(({ method, body }) => method === 'POST' && !body.includes('a=mid:'));
    expect(asked.map(({ path }) => path.replace(/loadline-\w+-/, ''))).toEqual(['/0-never/whep', '/1-1p/whep']);
    // It was told of the trial before, and is not told again.
    expect((await server.reset(signal)).byClosing).toBeUndefined();
  });
}

test('a stream that still answers after its connection was closed is told, and is no reason to end the run', async () => {
  const { server, opened } = await started(endingWith(405, true));
  await opened.join(requestOf(publisher));
  await opened.close();
  expect((await server.reset(signal)).byClosing).toMatchObject({ connections: 1, streams: 1, still: 1 });
});

test('a Location that leads nowhere is told where the stream still answers', async () => {
  const { server, opened } = await started(endingWith(404, true));
  await opened.join(requestOf(publisher));
  await opened.close();
  const { byClosing } = await server.reset(signal);
  expect(byClosing).toEqual({ connections: 0, why: 'it knows no session at its own Location', streams: 1, still: 1 });
});

test('a server that answers alike whether a stream is there or not is not asked for each', async () => {
  const { server, scripted, opened } = await started(only('DELETE', { status: 405 }));
  await opened.join(requestOf(publisher));
  await opened.close();
  expect((await server.reset(signal)).byClosing).toEqual({
    connections: 1,
    why: 'it answers 405 Method Not Allowed to DELETE of a WHIP session',
  });
  expect(scripted.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/whep'))).toHaveLength(1);
});

test('with --strict-whip a session without Location is refused, and a DELETE that is not taken leaves no clean server', async () => {
  const without = await started(endingWith('no-location'), { strict: true });
  const error = await failure(without.opened.join(requestOf(publisher)));
  expect([error.code, error.why]).toEqual(['E_SERVER_PROTOCOL', expect.stringContaining('(RFC 9725, 4.2)')]);
  const refusing = await started(endingWith(405), { strict: true });
  await refusing.opened.join(requestOf(publisher));
  const { message } = await failure(refusing.opened.close());
  expect(message).toBe('The media server refused to end a session. Its sessions take no DELETE.');
  expect((await failure(refusing.server.reset(signal))).code).toBe('E_NOT_CLEAN');
});

test('candidates for a session without Location are refused by name', async () => {
  const { opened } = await started(endingWith('no-location'));
  const agreed = await opened.join(requestOf(publisher));
  const { why } = await failure(agreed.addCandidate({ candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 }));
  expect(why).toContain('names no Location to bring candidates');
});

test('who holds the media port on this host is told once a trial, where no process was named', async () => {
  const media = createSocket('udp4').bind(0, '127.0.0.1');
  await once(media, 'listening');
  const candidate = `a=candidate:1 1 udp 2130706431 127.0.0.1 ${media.address().port} typ host\r\n`;
  const script: WhipScript = ({ method }) =>
    method === 'POST' ? { status: 201, headers: { location: '/s/1' }, text: anAnswer + candidate } : undefined;
  const { server, opened, events } = await started(script);
  const told = () =>
    events.flatMap((event) => ('name' in event && event.name === 'process-found' ? [event.detail] : []));
  for (const one of [publisher, viewer]) await opened.join(requestOf(one));
  await soon(() => told().length).toBe(1);
  expect(told()[0]).toMatch(
    new RegExp(`^process ${pid} \\(.+\\) holds its media port ${media.address().port}: --server-pid ${pid} `),
  );
  await server.reset(signal);
  await opened.join(requestOf(viewer2));
  await soon(() => told().length).toBe(2);
  media.close();
});
