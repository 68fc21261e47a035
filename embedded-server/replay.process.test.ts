import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { differences, IdTranslation, type RecordedFrame, readRecording } from '../tests/embedded/recorded.js';
import { TestClient } from '../tests/embedded/test-client.js';
import { type EmbeddedServer, startEmbeddedServer } from './server.js';

/** Operations whose texts are a server's own: its modules, its interface, its pipeline's drawing, live media. */
const ownWords = new Set([
  'getInfo',
  'getMetadata',
  'getKmd',
  'getGstreamerDot',
  'getNetworkInterfaces',
  'getMediaState',
  'getICECandidatePairs',
  'getIceConnectionState',
  'getStats',
]);

/** Where the recordings' RecorderEndpoints wrote; a replay writes into a folder of its own. */
const recordedFolder = 'file:///var/lib/kurento';
let folder = '';

let server: EmbeddedServer;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-replay-'));
  server = await startEmbeddedServer({ port: 0, recordIn: folder });
});
test.afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function operationOf(frame: Record<string, unknown>): string {
  return String((frame.params as Record<string, unknown> | undefined)?.operation);
}

/** Sends every recorded request and compares every reply; returns the differences and the live events. */
async function replay(name: string) {
  // What an earlier replay recorded would be in the way: nothing is written over.
  for (const file of await readdir(folder)) await rm(join(folder, file));
  const recording = await readRecording(name, { [recordedFolder]: pathToFileURL(folder).href });
  const replies = new Map<string, Record<string, unknown>[]>();
  for (const frame of recording) {
    if (frame.dir !== 's>c' || !('msg' in frame) || frame.msg.id === undefined) continue;
    const key = JSON.stringify(frame.msg.id);
    replies.set(key, [...(replies.get(key) ?? []), frame.msg]);
  }
  let client = await TestClient.open(server.url);
  const ids = new IdTranslation();
  const found: string[] = [];
  let compared = 0;
  for (const frame of recording) {
    if ('closed' in frame && frame.closed === 1006 && client.socket.readyState === client.socket.OPEN) {
      client.socket.terminate();
      client = await TestClient.open(server.url);
    }
    if (frame.dir !== 'c>s') continue;
    if ('raw' in frame) {
      client.socket.send(frame.raw);
      const [code] = await once(client.socket, 'close');
      expect(code).toBe(1006);
      continue;
    }
    const recorded = replies.get(JSON.stringify(frame.msg.id))?.shift();
    const live = await client.exchange(ids.translate(frame.msg));
    ids.learn(recorded, live);
    const exact = !ownWords.has(operationOf(frame.msg));
    const differing = differences(recorded, live, exact, `${name} id ${frame.msg.id} ${operationOf(frame.msg)}`);
    found.push(...differing);
    compared += 1;
  }
  client.close();
  return { found, compared, client, recording };
}

const recordings = [
  { name: 'connect', requests: 4 },
  { name: 'reconnect', requests: 11 },
  { name: 'server-manager', requests: 26 },
  { name: 'endpoint', requests: 55 },
  { name: 'errors-by-client', requests: 27 },
  { name: 'errors-raw', requests: 37, mixes: true },
  { name: 'composite-recorder', requests: 30, mixes: true },
  { name: 'room', requests: 24, mixes: true },
  { name: 'recorded-call', requests: 36 },
  { name: 'recorder-error', requests: 8 },
];

for (const { name, requests, mixes } of recordings) {
  test(`every reply of the recording "${name}" has its shape on the embedded server`, async () => {
    test.skip(mixes === true && !server.canMix, 'GStreamer is not installed');
    const { found, compared } = await replay(name);
    expect(found).toEqual([]);
    expect(compared).toBe(requests);
  });
}

test('objects announce themselves and their end as recorded', async () => {
  const { client, recording } = await replay('server-manager');
  expect(eventDifferences(recording, client, ['ObjectCreated', 'ObjectDestroyed'])).toEqual([]);
});

test('gathering is told as recorded: components, a candidate for each m-line, the end', async () => {
  const { client, recording } = await replay('endpoint');
  const types = ['IceComponentStateChanged', 'IceCandidateFound', 'IceGatheringDone'];
  expect(eventDifferences(recording, client, types)).toEqual([]);
  const order = client.events.map((event) => JSON.stringify(event)).filter((text) => text.includes('Ice'));
  const firstOf = (type: string): number => order.findIndex((text) => text.includes(`"type":"${type}"`));
  expect(firstOf('IceComponentStateChanged')).toBe(0);
  expect(firstOf('IceCandidateFound')).toBe(2);
  expect(firstOf('IceGatheringDone')).toBe(4);
});

test('a recorder tells that it records and that it has stopped, each once, as recorded', async () => {
  const { client, recording } = await replay('recorded-call');
  const types = ['UriEndpointStateChanged', 'Recording', 'Stopped'];
  expect(eventDifferences(recording, client, types)).toEqual([]);
  expect(client.eventsOf('UriEndpointStateChanged').map(({ state }) => state)).toEqual([
    'START',
    'START',
    'STOP',
    'STOP',
  ]);
  expect(client.eventsOf('Stopped')).toHaveLength(2);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['s1-A.webm', 's1-B.webm']));
});

test('stopping twice stops once: the second call is answered and tells nothing', async () => {
  test.skip(!server.canMix, 'GStreamer is not installed');
  const { client } = await replay('composite-recorder');
  expect(client.eventsOf('Stopped')).toHaveLength(1);
});

test('a file that cannot be written is no refusal of record: two Error events say so, as recorded', async () => {
  const { client, recording } = await replay('recorder-error');
  const errorsOf = (frames: readonly unknown[]) =>
    frames.flatMap((frame) => {
      const text = JSON.stringify(frame);
      const found = /"errorCode":(\d+),.*"type":"(\w+_\w+)"\}/.exec(text);
      return found ? [`${found[2]} ${found[1]}`] : [];
    });
  const recorded = errorsOf(recording);
  expect(recorded).toEqual(['RESOURCE_ERROR_OPEN 6', 'UNEXPECTED_ELEMENT_ERROR 4']);
  expect(errorsOf(client.events)).toEqual(recorded);
  const [first] = client.eventsOf('Error');
  expect(String(first?.description)).toContain('/proc/nope/x.webm');
});

function eventDifferences(recording: readonly RecordedFrame[], client: TestClient, types: readonly string[]): string[] {
  return types.flatMap((type) => {
    const isOfType = (frame: unknown): boolean => JSON.stringify(frame).includes(`"type":"${type}"}}}`);
    const recorded = recording.flatMap((frame) => ('msg' in frame && isOfType(frame.msg) ? [frame.msg] : []))[0];
    const live = client.events.find(isOfType);
    return differences(recorded, live, true, type);
  });
}
