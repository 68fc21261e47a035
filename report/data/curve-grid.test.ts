import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { absentCell, type CurveName, curves, type TrialData } from '../wire/trial-data.js';
import { CurveGrid, type Span } from './curve-grid.js';
import { packed } from './trial-data.js';

const span: Span = { fromMs: 10_000, toMs: 14_000, zeroMs: 11_000, binMs: 1000 };

const sample = (probe: string, atMs: number, bytes: number, changes: Partial<Sample> = {}): Sample => ({
  probe,
  atMs,
  intervalMs: 1000,
  lateMs: 0,
  legs: [{ leg: probe, connectionState: 'connected', rttMs: 7 }],
  streams: [
    {
      leg: probe,
      direction: 'receive',
      kind: 'video',
      metrics: { bytesReceived: bytes, packetsReceived: 90, packetsLost: 10, framesDecoded: 25, jitterMs: 3 },
    },
  ],
  ...changes,
});

function cellsOf(grid: CurveGrid, name: CurveName, row: number, probes: number): (number | null)[] {
  const { cells, table } = grid.table();
  const column = curves.findIndex((curve) => curve.name === name);
  const start = (column * probes + row) * table.bins;
  const values = [...cells.slice(start, start + table.bins)];
  return values.map((cell) => (cell === absentCell ? null : cell * (table.steps[column] ?? 0)));
}

test('each second of each probe is in its own cell, and a second without a sample is absent, not zero', () => {
  const grid = new CurveGrid(['1a', '1b'], span);
  grid.add(sample('1a', 11_000, 62_500));
  grid.add(sample('1a', 13_000, 31_250));
  grid.add(sample('1b', 12_000, 0));
  expect(cellsOf(grid, 'receivedVideoKbps', 0, 2)).toEqual([500, null, 250, null]);
  expect(cellsOf(grid, 'receivedVideoKbps', 1, 2)).toEqual([null, 0, null, null]);
  expect(cellsOf(grid, 'videoLossPercent', 0, 2)[0]).toBeCloseTo(10, 3);
  expect(cellsOf(grid, 'fps', 0, 2)[0]).toBeCloseTo(25, 3);
  expect(cellsOf(grid, 'rttMs', 0, 2)[0]).toBeCloseTo(7, 3);
  expect(cellsOf(grid, 'sentVideoKbps', 0, 2)).toEqual([null, null, null, null]);
});

test('the rate of a received video is without what came on the SSRC for resending', () => {
  const metrics = { bytesReceived: 100_000, resentBytesReceived: 37_500 };
  const grid = new CurveGrid(['1a'], span);
  grid.add(sample('1a', 11_000, 0, { streams: [{ leg: '1a', direction: 'receive', kind: 'video', metrics }] }));
  expect(cellsOf(grid, 'receivedVideoKbps', 0, 1)[0]).toBeCloseTo(500, 3);
});

test('a picture that is not shown has no rate, no frames and no loss in that second, as in the window', () => {
  const metrics = { bytesReceived: 100, packetsReceived: 1, packetsLost: 9, framesDecoded: 0 };
  const hidden = { leg: '1a', direction: 'receive', kind: 'video', metrics, away: true } as const;
  const grid = new CurveGrid(['1a'], span);
  grid.add(sample('1a', 11_000, 0, { streams: [hidden] }));
  for (const name of ['receivedVideoKbps', 'fps', 'videoLossPercent'] as const)
    expect(cellsOf(grid, name, 0, 1)[0]).toBeNull();
  expect(cellsOf(grid, 'rttMs', 0, 1)[0]).toBeCloseTo(7, 3);
});

test('several seconds in one cell are the quotient of their sums, not the mean of their quotients', () => {
  const grid = new CurveGrid(['1a'], { ...span, binMs: 4000 });
  const lossy = (lost: number, got: number, atMs: number) =>
    sample('1a', atMs, 1000, {
      streams: [
        { leg: '1a', direction: 'receive', kind: 'video', metrics: { packetsLost: lost, packetsReceived: got } },
      ],
    });
  grid.add(lossy(0, 900, 11_000));
  grid.add(lossy(100, 0, 12_000));
  expect(cellsOf(grid, 'videoLossPercent', 0, 1)[0]).toBeCloseTo(10, 3);
});

test('loss on the way up is drawn over the seconds that a report covers, and is absent in those that none covers', () => {
  const grid = new CurveGrid(['1a'], { ...span, fromMs: 10_000, toMs: 18_000 });
  const sent = (atMs: number, report: { remotePacketsLost?: number; remoteJitterMs?: number } = {}) =>
    sample('1a', atMs, 0, {
      streams: [{ leg: '1a', direction: 'send', kind: 'audio', metrics: { packetsSent: 50, ...report } }],
    });
  for (const atMs of [11_000, 13_000, 14_000, 15_000, 17_000, 18_000]) grid.add(sent(atMs));
  expect(cellsOf(grid, 'upLossPercent', 0, 1)).toEqual(Array(8).fill(null));
  const told = new CurveGrid(['1a'], { ...span, fromMs: 10_000, toMs: 18_000 });
  for (const atMs of [11_000, 12_000, 13_000, 14_000, 15_000, 16_000, 17_000, 18_000]) {
    const report =
      atMs === 12_000 ? { remoteJitterMs: 3 } : atMs === 16_000 ? { remotePacketsLost: 10, remoteJitterMs: 3 } : {};
    told.add(sent(atMs, report));
  }
  const cells = cellsOf(told, 'upLossPercent', 0, 1);
  expect(cells.map((cell) => cell && Math.round(1000 * cell) / 1000)).toEqual([null, null, 5, 5, 5, 5, null, null]);
});

test('what lies outside the span, and what is of nobody, is left out', () => {
  const grid = new CurveGrid(['1a'], span);
  grid.add(sample('1a', 9000, 62_500));
  grid.add(sample('1a', 16_000, 62_500));
  grid.add(sample('9z', 12_000, 62_500));
  expect(cellsOf(grid, 'receivedVideoKbps', 0, 1)).toEqual([null, null, null, null]);
});

test('what is packed unpacks to the same JSON and cells', async () => {
  const data = { index: 4, size: '2 calls, "<script>"' } as unknown as TrialData;
  const cells = Uint16Array.from([0, 1, 255, 256, 65_000, absentCell]);
  const bytes = (await promisify(inflateRaw)(Buffer.from(await packed({ data, cells }), 'base64'))) as Buffer;
  const length = bytes.readUInt32LE(0);
  expect(JSON.parse(bytes.subarray(4, 4 + length).toString())).toEqual(data);
  const planes = bytes.subarray(4 + length);
  expect(Array.from(cells, (_, index) => (planes[index] ?? 0) * 256 + (planes[cells.length + index] ?? 0))).toEqual([
    ...cells,
  ]);
});
