import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { TestClient } from '../../tests/embedded/test-client.js';
import { soon } from '../../tests/soon.js';
import { type EmbeddedServer, startEmbeddedServer } from '../server.js';

let server: EmbeddedServer;
test.beforeEach(async () => {
  server = await startEmbeddedServer({ port: 0, version: '1.2.3' });
});
test.afterEach(() => server.close());

/** Mixers among the children of this process, oldest first. */
function mixers(): number[] {
  const found = readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat.includes('(gst-launch-1.0)') && Number(parent) === process.pid ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
  return found.sort((a, b) => a - b);
}

async function openRoom(client: TestClient) {
  const pipeline = await client.create('MediaPipeline');
  const composite = await client.create('Composite', { mediaPipeline: pipeline });
  const port = await client.create('HubPort', { hub: composite });
  for (const object of [pipeline, composite, port]) await client.call('subscribe', { object, type: 'Error' });
  return { pipeline, composite, port };
}

test('a mixer that is killed ends its room with an Error event, and neither the other room nor the server', async () => {
  test.skip(!server.canMix, 'GStreamer is not installed');
  const client = await TestClient.open(server.url);
  const doomed = await openRoom(client);
  await soon(() => mixers().length, { timeout: 20_000 }).toBe(1);
  const [victim = 0] = mixers();
  const other = await openRoom(client);
  await soon(() => mixers().length, { timeout: 20_000 }).toBe(2);
  process.kill(victim, 'SIGKILL');
  for (const object of [doomed.pipeline, doomed.composite, doomed.port]) {
    await client.waitForEvent('Error', object);
    expect(client.eventsOf('Error', object)).toEqual([
      expect.objectContaining({
        type: 'MIXER_DIED',
        description: 'The mixer of this room ended: gst-launch-1.0 ended with SIGKILL: ',
      }),
    ]);
  }
  for (const object of [other.pipeline, other.composite, other.port])
    expect(client.eventsOf('Error', object)).toEqual([]);
  expect(mixers()).toHaveLength(1);
  expect(await client.invoke('manager_ServerManager', 'getPipelines')).toHaveLength(2);
  for (const { pipeline } of [doomed, other]) await client.call('release', { object: pipeline });
  expect(await client.invoke('manager_ServerManager', 'getPipelines')).toEqual([]);
  await soon(mixers).toEqual([]);
  client.close();
});

test('a port has no statistics of its own: null, as on a Kurento', async () => {
  test.skip(!server.canMix, 'GStreamer is not installed');
  const client = await TestClient.open(server.url);
  const { port } = await openRoom(client);
  expect(await client.invoke(port, 'getStats')).toBeNull();
  client.close();
});

test('the server says which version of Loadline it is', async () => {
  const client = await TestClient.open(server.url);
  const metadata = String(await client.invoke('manager_ServerManager', 'getMetadata'));
  expect(JSON.parse(metadata)).toEqual({ server: 'loadline-embedded', version: '1.2.3' });
  client.close();
});

test('a room is mixed at the rate that the server was told, or at another that its maker asks for', async () => {
  test.skip(!server.canMix, 'GStreamer is not installed');
  const slow = await startEmbeddedServer({ port: 0, imitation: { mixFps: 10 } });
  const client = await TestClient.open(slow.url);
  const rates = (): readonly string[] =>
    mixers().map((pid) => /framerate=\d+/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[0] ?? '');
  const mediaPipeline = await client.create('MediaPipeline');
  await client.create('HubPort', { hub: await client.create('Composite', { mediaPipeline }) });
  await soon(rates, { timeout: 20_000 }).toEqual(['framerate=10']);
  await client.create('HubPort', { hub: await client.create('Composite', { mediaPipeline, framerate: 20 }) });
  await soon(rates, { timeout: 20_000 }).toEqual(['framerate=10', 'framerate=20']);
  client.close();
  await slow.close();
});
