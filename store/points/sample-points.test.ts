import { expect, test } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import type { StreamSample } from '../../model/sample.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { withLayers } from '../../scenarios/with-layers.js';
import { aManifest } from '../../tests/builders/run-builder.js';
import { keptPoints } from '../../tests/kept-points.js';
import { copySink } from './copy-sink.js';
import type { DataPoint } from './data-point.js';
import { evidencePoints, samplePoints } from './sample-points.js';

test('readings of two hosts in one millisecond are two points, each sent once, with the host as a tag', async () => {
  const to = keptPoints();
  const sink = copySink({ to, run: 'r', scenario: broadcast, again: 'again' });
  await sink.open(aManifest());
  sink.writeEvent?.({ type: 'trial-started', index: 1, size: 1, probes: 2, why: 'baseline', text: '' });
  const reading = { atMs: 5, cores: 4, busyCores: 1, stealCores: 0, probeCores: 1, memoryAvailableMb: 9 };
  const latest = { probeHost: ['a', 'b'].map((host) => ({ ...reading, host })), server: [] };
  sink.writeReadings?.(1, latest);
  sink.writeReadings?.(1, latest);
  const hosts = to.points.filter(({ measurement }) => measurement === 'loadline_host');
  expect(hosts.map(({ tags, fields }) => [tags.host, fields.host, fields.busyPercent])).toEqual([
    ['a', undefined, 25],
    ['b', undefined, 25],
  ]);
});

test('what the server sent is divided by the time since its reading before, live as in an export, and not across trials', async () => {
  const servers = [0, 2000, 3000].map((atMs) => ({ server: 'A', atMs, egressBytes: atMs / 4 }));
  const server = servers.map((one) => ({ ...one, servers: [one] }));
  const rates = (points: readonly DataPoint[]) => points.map(({ fields }) => fields.egressKbps);
  const exported = rates(evidencePoints({}, { probeHost: [], server }));
  expect(exported).toEqual([undefined, undefined, 2, 2, 6, 6]);
  const to = keptPoints();
  const sink = copySink({ to, run: 'r', scenario: broadcast, again: 'again' });
  await sink.open(aManifest());
  for (const index of [1, 2]) {
    sink.writeEvent?.({ type: 'trial-started', index, size: 1, probes: 2, why: 'baseline', text: '' });
    for (const reading of server) sink.writeReadings?.(index, { probeHost: [], server: [reading] });
  }
  const live = rates(to.points.filter(({ measurement }) => /server/.test(measurement)));
  expect(live).toEqual([...exported, ...exported]);
});

test('bytes that come after a reading without any are those of both, of one server and of one of a cluster', async () => {
  const told = (server: string, silentMs: number) => (atMs: number) =>
    atMs === silentMs ? { server, atMs } : { server, atMs, egressBytes: atMs === silentMs + 1000 ? 500 : 250 };
  const [a, b] = [told('A', 9000), told('B', 2000)];
  const times = [1000, 2000, 3000, 4000];
  const alone = times.map(b).map(({ server: _, ...reading }) => reading);
  const both = times.map((atMs) => ({ ...alone.find((one) => one.atMs === atMs), atMs, servers: [a(atMs), b(atMs)] }));
  for (const [server, wanted] of [
    [alone, [undefined, undefined, 2, 2]],
    [both, [undefined, undefined, 4, 4]],
  ] as const) {
    const of = (points: readonly DataPoint[]) =>
      points.filter(({ measurement }) => measurement === 'loadline_server').map(({ fields }) => fields.egressKbps);
    expect(of(evidencePoints({}, { probeHost: [], server }))).toEqual(wanted);
    const to = keptPoints();
    const sink = copySink({ to, run: 'r', scenario: broadcast, again: 'again' });
    await sink.open(aManifest());
    sink.writeEvent?.({ type: 'trial-started', index: 1, size: 1, probes: 2, why: 'baseline', text: '' });
    for (const reading of server) sink.writeReadings?.(1, { probeHost: [], server: [reading] });
    expect(of(to.points)).toEqual(wanted);
  }
});

test('points of a trial that a kill ended have other tags than those of its repeat, each time that the run is resumed', async () => {
  const tags = async (...resumedAfter: readonly number[]) => {
    const to = keptPoints();
    const sink = copySink({ to, run: 'r', scenario: broadcast, again: 'again' });
    await sink.open({ ...aManifest(), ...(resumedAfter.length > 0 ? { resumedAfter } : {}) });
    for (const index of [4, 5]) {
      sink.writeEvent?.({ type: 'trial-started', index, size: 1, probes: 2, why: 'grow', text: '' });
      sink.writeSamples(index, [{ probe: '1p', atMs: 5, intervalMs: 1000, lateMs: 0, legs: [], streams: [] }]);
    }
    return to.points.filter(({ measurement }) => measurement === 'loadline_probe').map((one) => one.tags.resumed);
  };
  expect(await tags()).toEqual([undefined, undefined]);
  expect(await tags(3)).toEqual(['1', undefined]);
  expect(await tags(1, 3, 3)).toEqual(['2', undefined]);
  expect(await tags(3, 4)).toEqual(['1', '1']);
});

test('the bit rate of a received video is without what came on the SSRC for resending, as that of the window is', () => {
  const metrics = { bytesReceived: 100_000, resentBytesReceived: 37_500 };
  const stream = { leg: '1a', direction: 'receive', kind: 'video', metrics } as const;
  const sample = { probe: '1a', atMs: 5, intervalMs: 1000, lateMs: 0, legs: [], streams: [stream] };
  const [, point] = samplePoints({}, () => undefined, sample);
  expect(point?.fields).toMatchObject({ ...metrics, bitrateKbps: 500 });
});

test('a stream that is not shown, or whose source is gone, has no metric in that second', () => {
  const metrics = { bytesReceived: 100, framesDecoded: 0, freezeMs: 4000 };
  const stream = { leg: '1a', direction: 'receive', kind: 'video', metrics, away: true } as const;
  const sample = { probe: '1a', atMs: 5, intervalMs: 1000, lateMs: 0, legs: [], streams: [stream] };
  const [, point] = samplePoints({}, () => undefined, sample);
  expect(point?.fields).toEqual({ intervalMs: 1000, askedWidth: undefined });
});

test('a stream of layers has the one that was asked for or sent as a tag, and the width asked for beside the one that came', () => {
  const simulcast = { rids: ['l', 'm', 'h'], asked: 'middle' } as const;
  const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500, simulcast });
  const [session] = withLayers(broadcast, media).sessions(1);
  const whoIs = (probe: string) => session?.participants.find(({ id }) => id === probe);
  const points = (probe: string, stream: StreamSample) =>
    samplePoints({}, whoIs, { probe, atMs: 5, intervalMs: 1000, lateMs: 0, legs: [], streams: [stream] }).slice(1);
  const received = { leg: '1v1', direction: 'receive', kind: 'video', metrics: { frameWidth: 320 } } as const;
  const [got] = points('1v1', received);
  expect([got?.tags.layer, got?.fields.askedWidth, got?.fields.frameWidth]).toEqual(['middle', 640, 320]);
  const sent = { leg: '1p', direction: 'send', kind: 'video', stream: 'h', metrics: { frameWidth: 1280 } } as const;
  const [own] = points('1p', sent);
  expect([own?.tags.layer, own?.fields.askedWidth]).toEqual(['high', undefined]);
  const [sound] = points('1v1', { ...received, kind: 'audio', metrics: {} });
  expect(sound?.tags.layer).toBeUndefined();
});
