import { expect, test } from '@playwright/test';
import type { ServerEvent } from '../../model/server-event.js';
import { scriptedJanus } from '../../tests/scripted-janus.js';
import { janusServer } from './janus-server.js';

const options = { maxVideoKbps: 500, videoCodec: 'vp8', requestTimeoutMs: 500, cleanWithinMs: 300 };

test('JSON that is nested by the hundred thousand is told as too much, and the Janus is heard on', async () => {
  const { signal } = new AbortController();
  const janus = await scriptedJanus();
  const server = janusServer({ url: janus.url, ...options });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  try {
    await server.start(signal);
    janus.send(
      `{"janus":"event","plugindata":{"plugin":"x","data":{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`,
    );
    await expect.poll(() => events).toMatchObject([{ kind: 'excess', detail: 'JSON nested deeper than 64' }]);
    expect(await server.reset(signal)).toMatchObject({ how: 'listed' });
  } finally {
    await server.stop();
    await janus.close();
  }
});
