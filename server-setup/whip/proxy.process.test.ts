import { expect, test } from '@playwright/test';
import { closeAll, made, only, signal } from '../../tests/whip-stage.js';

test.afterEach(closeAll);

test('a proxy in front of a server is not taken for it', async () => {
  const by = (server: string) =>
    made(only('OPTIONS', { status: 204, headers: { 'accept-post': 'application/sdp', server } }));
  const seen = [];
  for (const said of ['mediamtx/1.20.1', 'nginx/1.24.0', 'cloudflare']) {
    const { server } = await by(said);
    const { name, version } = await server.start(signal);
    seen.push([name, version]);
  }
  expect(seen).toEqual([
    ['whip mediamtx/1.20.1', '1.20.1'],
    ['whip', ''],
    ['whip', ''],
  ]);
});
