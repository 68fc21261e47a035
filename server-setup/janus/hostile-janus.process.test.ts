import { expect, test } from '@playwright/test';
import type { ServerEvent } from '../../model/server-event.js';
import { scriptedJanus } from '../../tests/scripted-janus.js';
import { soon } from '../../tests/soon.js';
import { JanusServer } from './janus-server.js';

const options = { maxVideoKbps: 500, videoCodec: 'vp8', requestTimeoutMs: 500, cleanWithinMs: 300 };

test('JSON that is nested by the hundred thousand is told as too much, and the Janus is heard on', async () => {
  const { signal } = new AbortController();
  const janus = await scriptedJanus();
  const server = new JanusServer({ url: janus.url, ...options });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  try {
    await server.start(signal);
    janus.send(
      `{"janus":"event","plugindata":{"plugin":"x","data":{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`,
    );
    await soon(() => events).toMatchObject([{ kind: 'excess', detail: 'JSON nested deeper than 64' }]);
    expect(await server.reset(signal)).toMatchObject({ how: 'listed' });
  } finally {
    await server.stop();
    await janus.close();
  }
});

test('a Janus that does not list its rooms has its sessions ended all the same', async () => {
  let isSilent = false;
  const janus = await scriptedJanus(({ body }) => (isSilent && body?.request === 'list' ? [] : undefined));
  const server = new JanusServer({ url: janus.url, ...options, requestTimeoutMs: 10_000 });
  await server.start(new AbortController().signal);
  isSilent = true;
  await server.stop();
  await janus.close();
  expect(janus.requests.map(({ janus: kind }) => kind)).toContain('destroy');
});

const noSession = [{ janus: 'error', error: { code: 458, reason: 'No such session' } }];
for (const [what, request, said, code] of [
  ['a connection that is gone', 'list', 'hang-up', 'E_SERVER_LOST'],
  ['a connection to its Admin API that is gone', 'list_sessions', 'hang-up', 'E_SERVER_LOST'],
  ['a session for listing rooms that is gone', 'list', noSession, 'E_SERVER_REFUSED'],
] as const) {
  test(`${what}, which shows only when a reset uses it, is made anew, and the trial that begins has lost nothing`, async () => {
    const { signal } = new AbortController();
    let times = 0;
    const janus = await scriptedJanus(({ janus: kind, body }) => {
      if (times === 0 || (body?.request ?? kind) !== request) return undefined;
      times -= 1;
      return said;
    });
    const adminUrl = janus.url.replace('janus://', 'ws://');
    const server = new JanusServer({ url: janus.url, adminUrl, secrets: { admin: 'only-for-tests' }, ...options });
    const events: ServerEvent[] = [];
    server.onEvent((event) => events.push(event));
    try {
      await server.start(signal);
      times = 1;
      expect(await server.reset(signal)).toMatchObject({ how: 'listed' });
      // The scripted one keeps the sessions of a connection that is gone.
      const told = events.filter(({ kind }) => kind !== 'foreign-sessions');
      expect(told).toMatchObject([{ kind: 'reconnected' }]);
      times = 9;
      await expect(server.reset(signal)).rejects.toMatchObject({ code });
      times = 0;
    } finally {
      await server.stop();
      await janus.close();
    }
  });
}
