import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { differences, IdTranslation, type RecordedFrame, readRecording } from './recorded.js';
import { type EmbeddedServer, startEmbeddedServer } from './server.js';
import { TestClient } from './test-client.js';

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

/** Kinds a Kurento has and this server has not: it answers 40108 for them. */
const absentKinds = new Set(['kurento.HubPort']);

let server: EmbeddedServer;
test.beforeAll(async () => {
  server = await startEmbeddedServer({ port: 0 });
});
test.afterAll(() => server.close());

function operationOf(frame: Record<string, unknown>): string {
  return String((frame.params as Record<string, unknown> | undefined)?.operation);
}

/** Sends every recorded request and compares every reply; returns the differences and the live events. */
async function replay(name: string) {
  const recording = await readRecording(name);
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
    if (absentKinds.has(String((frame.msg.params as Record<string, unknown> | undefined)?.type))) continue;
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
  { name: 'errors-raw', requests: 36 },
];

for (const { name, requests } of recordings) {
  test(`every reply of the recording "${name}" has its shape on the embedded server`, async () => {
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

function eventDifferences(recording: readonly RecordedFrame[], client: TestClient, types: readonly string[]): string[] {
  return types.flatMap((type) => {
    const isOfType = (frame: unknown): boolean => JSON.stringify(frame).includes(`"type":"${type}"}}}`);
    const recorded = recording.flatMap((frame) => ('msg' in frame && isOfType(frame.msg) ? [frame.msg] : []))[0];
    const live = client.events.find(isOfType);
    return differences(recorded, live, true, type);
  });
}
