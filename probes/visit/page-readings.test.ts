import { expect, test } from '@playwright/test';
import type { FrameReading } from '../page/visit/wire.js';
import { joinTimesOf, outOfTime } from './join-progress.js';
import { type PageReading, PageReadings } from './page-readings.js';
import type { PlacedConnection } from './stream-slots.js';

function reading(frame: string, dueMs: number, ids: readonly string[], more: Partial<FrameReading> = {}): FrameReading {
  const connections = ids.map((id) => ({
    id,
    connectionState: 'connected',
    iceState: 'connected',
    leg: { leg: id, connectionState: 'connected' },
    streams: [],
  }));
  const atMs = dueMs + 5;
  return {
    frame,
    isTop: frame === 'top',
    dueMs,
    lateMs: 1,
    atMs,
    sinceMs: atMs - 1000,
    isWhole: true,
    unspared: [],
    connections,
    ...more,
  };
}

const placesOf = ({ connections }: Pick<PageReading, 'connections'>): readonly string[] =>
  connections.map(({ place }) => place);

test('what the frames of a page saw in a second is one reading, once all of them have told', () => {
  const told: PageReading[] = [];
  const readings = new PageReadings((one) => told.push(one));
  readings.take(reading('top', 1000, ['1']));
  readings.take(reading('top', 2000, ['1']));
  readings.take(reading('inner', 2000, ['1', '2'], { atMs: 2040, lateMs: 30 }));
  readings.take(reading('top', 3000, ['1']));
  expect(told.map(({ atMs }) => atMs)).toEqual([1005, 2005]);
  readings.take(reading('inner', 3000, ['1'], { atMs: 3040, lateMs: 30, sinceMs: 2040 }));
  readings.take(reading('top', 4000, ['1']));
  readings.take(reading('inner', 4000, ['1'], { atMs: 4040, lateMs: 30, sinceMs: 3040 }));
  expect(told.at(-1)).toMatchObject({ atMs: 4040, lateMs: 30, sinceMs: 3040 });
  expect(placesOf(told.at(-1) ?? { connections: [] })).toEqual(['top 1', 'inner 1']);
  readings.close();
});

test('a frame that was too late for a second tells of a part of the next, which is told without it, and the others stay whole', () => {
  const told: PageReading[] = [];
  const readings = new PageReadings((one) => told.push(one));
  readings.take(reading('inner', 1000, ['1']));
  readings.take(reading('top', 1000, ['1'], { atMs: 1450 }));
  readings.take(reading('inner', 2000, ['1']));
  readings.take(reading('top', 2000, ['1'], { sinceMs: 1450 }));
  readings.take(reading('inner', 3000, ['1']));
  readings.take(reading('top', 3000, ['1']));
  expect(told.map(({ atMs, sinceMs }) => [sinceMs, atMs])).toEqual([
    [5, 1005],
    [1005, 2005],
    [2005, 3005],
  ]);
  expect(told.map(placesOf)).toEqual([['inner 1'], ['inner 1'], ['inner 1', 'top 1']]);
  readings.close();
});

test('how long the frame with the connections was read is not of the page around it, whose lateness is told', () => {
  const told: PageReading[] = [];
  const readings = new PageReadings((one) => told.push(one));
  for (const dueMs of [1000, 2000, 3000]) {
    const lateMs = dueMs === 2000 ? 300 : 1;
    readings.take(reading('top', dueMs, [], { atMs: dueMs + lateMs, lateMs }));
    readings.take(reading('inner', dueMs, ['1']));
  }
  expect(told.slice(1).map(({ atMs, sinceMs, lateMs }) => [sinceMs, atMs, lateMs])).toEqual([
    [1005, 2005, 300],
    [2005, 3005, 1],
  ]);
  readings.close();
});

test('a document that took the place of another leaves nothing of it, and a look is no reading', () => {
  const told: PageReading[] = [];
  const readings = new PageReadings((one) => told.push(one));
  readings.take(reading('top', 1000, ['1']));
  expect(
    readings.take(reading('anew', 1500, ['1'], { isTop: true, isWhole: false })).map(({ place }) => place),
  ).toEqual(['anew 1']);
  expect(told).toHaveLength(1);
  readings.close();
});

test('a page that is out of time is named by the first step that it did not reach', () => {
  const at = (more: Partial<PlacedConnection>): PlacedConnection => ({
    id: '1',
    place: 'top 1',
    connectionState: 'connecting',
    iceState: 'checking',
    leg: { leg: '1', connectionState: 'connecting' },
    streams: [],
    ...more,
  });
  const outcome = (connections: readonly PlacedConnection[]) => {
    const { code, detail } = outOfTime(connections, joinTimesOf(connections, 100), 10_000, ['video from others']);
    return `${code}: ${detail}`;
  };
  expect([
    outcome([]),
    outcome([at({})]),
    outcome([at({ answeredMs: 200 })]),
    outcome([at({ answeredMs: 200, iceConnectedMs: 300 })]),
    outcome([at({ answeredMs: 200, iceConnectedMs: 300, dtlsConnectedMs: 400 })]),
  ]).toEqual([
    'signalling-timeout: the page has no RTCPeerConnection after 10 s',
    'signalling-timeout: the page has no SDP answer after 10 s',
    'ice-timeout: no ICE connection in 10 s (state checking)',
    'dtls-timeout: no DTLS connection in 10 s (state connecting)',
    'no-media: connected, but no video from others after 10 s',
  ]);
  expect(joinTimesOf([at({ dtlsConnectedMs: 900 }), at({ dtlsConnectedMs: 400 })], 100)).toEqual({
    dtlsConnectedMs: 300,
  });
});
