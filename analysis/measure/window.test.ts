import { expect, test } from '@playwright/test';
import type { Sample, StreamSample } from '../../model/sample.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { startMs } from '../../tests/builders/trial-builder.js';
import { samplesInWindow } from '../../tests/whole-lists.js';
import { measurableMs, summariseStreams } from './window.js';

const minute = { startMs, endMs: startMs + 60_000 };

const summaryOf = (probe: ProbeBuilder, direction: 'send' | 'receive', kind: 'audio' | 'video', samples?: Sample[]) => {
  const streams = summariseStreams(samples ?? probe.samples(startMs, 60), [probe.participant()], minute);
  const found = streams.find((stream) => stream.direction === direction && stream.kind === kind);
  if (!found) throw new Error(`no ${direction}/${kind}`);
  return found.values;
};

const videoOf = (probe: ProbeBuilder) => summaryOf(probe, 'receive', 'video');

test('a sample belongs to the window only when its whole second does', () => {
  const samples = aProbe('1a').samples(startMs - 500, 5);
  const inside = samplesInWindow(samples, { startMs, endMs: startMs + 3000 });
  expect(inside.map((sample) => sample.atMs - startMs)).toEqual([1500, 2500]);
  expect(measurableMs(minute)).toBe(58_000);
});

test('rates are divided by the true width of each reading, not by their number', () => {
  const probe = aProbe('1a').receivesVideo({ kbps: 400, fps: 20 });
  const slow = probe.samples(startMs, 30).map((sample, index) => ({
    ...sample,
    atMs: startMs + (index + 1) * 2000,
    intervalMs: 2000,
  }));
  expect(summaryOf(probe, 'receive', 'video', slow)).toMatchObject({ bitrateKbps: 200, fps: 10 });
});

test('each second weighs the same in a mean of them, however few frames were in it', () => {
  const stalls = (second: number) => second === 30;
  const probe = aProbe('1a').receivesVideo({
    fps: (second) => (stalls(second) ? 2 : 30),
    jitterBufferMs: (second) => (stalls(second) ? 2000 : 50),
  });
  expect(videoOf(probe).jitterBufferMs).toBeCloseTo(82.5, 10);
});

test('seconds in which a received stream is not in getStats count as seconds without media', () => {
  const probe = aProbe('1a').receivesVideo({ kbps: 500, fps: 30 });
  const samples = probe
    .samples(startMs, 60)
    .map((sample, index) =>
      index < 30 ? { ...sample, streams: sample.streams.filter((stream) => stream.kind !== 'video') } : sample,
    );
  expect(summaryOf(probe, 'receive', 'video', samples)).toMatchObject({ bitrateKbps: 250, fps: 15, frozenPercent: 50 });
});

test('seconds in which getStats has no sent stream are time in which nothing left, but for the second in which it began anew', () => {
  const probe = aProbe('1a');
  const changed = (from: number, change: Pick<StreamSample, 'metrics' | 'restarted'>) =>
    probe.samples(startMs, 60).map((sample, second) => ({
      ...sample,
      streams: sample.streams.map((stream) =>
        stream.direction === 'send' && stream.kind === 'video' && second >= from
          ? { ...stream, ...change, metrics: {} }
          : stream,
      ),
    }));
  const gone = summaryOf(probe, 'send', 'video', changed(15, { metrics: {} }));
  expect(gone).toMatchObject({ bitrateKbps: 125, fps: 7.5 });
  const anew = summaryOf(probe, 'send', 'video', changed(59, { metrics: {}, restarted: true }));
  expect(anew).toMatchObject({ bitrateKbps: 500, fps: 30 });
});

test('seconds in which a metric is absent are left out, and a metric that is always absent has no aggregate', () => {
  expect(videoOf(aProbe('1a').receivesVideo({ kbps: (second) => (second < 30 ? null : 500) }))).toMatchObject({
    bitrateKbps: 500,
  });
  expect(videoOf(aProbe('1a').receivesVideo({ jitterMs: null }))).not.toHaveProperty('jitterMs');
  expect(videoOf(aProbe('1a').receivesVideo({ fps: null, freezeMs: null }))).not.toHaveProperty('frozenPercent');
  expect(summaryOf(aProbe('1a').isRead({ rttMs: null }), 'receive', 'audio')).not.toHaveProperty('mos');
  expect(videoOf(aProbe('1a').lacks('receive', 'video'))).toEqual({ legRttMs: 20, legRttP95Ms: 20 });
});

test('loss nets out over the window and is never below zero', () => {
  const lost = (perSecond: (second: number) => number) => {
    const samples = aProbe('1a').samples(startMs, 60);
    return samples.map((sample, second) => ({
      ...sample,
      streams: sample.streams.map((stream) =>
        stream.direction === 'receive' && stream.kind === 'video'
          ? { ...stream, metrics: { ...stream.metrics, packetsReceived: 100, packetsLost: perSecond(second) } }
          : stream,
      ),
    }));
  };
  const lossOf = (perSecond: (second: number) => number) =>
    summaryOf(aProbe('1a'), 'receive', 'video', lost(perSecond));
  expect(lossOf((second) => (second === 10 ? 30 : second === 11 ? -30 : 0))).toMatchObject({ lossPercent: 0 });
  expect(lossOf(() => -1)).toMatchObject({ lossPercent: 0, worstLossPercent5s: 0 });
  expect(lossOf(() => 25)).toMatchObject({ lossPercent: 20, worstLossPercent5s: 20 });
});

test('the worst 5 s are found wherever they lie, and diluted by exactly five seconds', () => {
  for (const first of [0, 27, 55]) {
    const burst = (second: number) => (second >= first && second < first + 5 ? 50 : 0);
    expect(videoOf(aProbe('1a').receivesVideo({ lossPercent: burst })).worstLossPercent5s).toBeCloseTo(50, 6);
  }
  const oneSecond = videoOf(aProbe('1a').receivesVideo({ lossPercent: (second) => (second === 30 ? 50 : 0) }));
  expect(oneSecond.worstLossPercent5s).toBeCloseTo(100 / 6, 6);
});

test('up-link loss is what the server missed of what was sent, and apart from down-link loss', () => {
  const probe = aProbe('1a').sendsVideo({ lossPercent: 4 }).receivesVideo({ lossPercent: 1 });
  expect(summaryOf(probe, 'send', 'video').lossPercent).toBeCloseTo(4, 6);
  expect(videoOf(probe).lossPercent).toBeCloseTo(1, 6);
});

test('a freeze that began before the window counts only from its start', () => {
  const frozen = (freezeMs: (second: number) => number) =>
    videoOf(aProbe('1a').receivesVideo({ freezeMs })).frozenPercent;
  expect(frozen((second) => (second === 2 ? 9000 : 0))).toBeCloseTo(5, 6);
  expect(frozen((second) => (second === 20 ? 6000 : 0))).toBeCloseTo(10, 6);
});

test('a freeze that has not ended counts by its seconds without frames, and only once when it ends', () => {
  const video = (fps: (second: number) => number, freezeMs: (second: number) => number) =>
    videoOf(aProbe('1a').receivesVideo({ fps, freezeMs })).frozenPercent;
  const none = () => 0;
  expect(video((second) => (second >= 48 ? 0 : 30), none)).toBeCloseTo(20, 6);
  const still = (second: number) => (second >= 20 && second < 23 ? 0 : 30);
  expect(video(still, (second) => (second === 23 ? 3600 : 0))).toBeCloseTo(6, 6);
  expect(video(still, none)).toBeCloseTo(5, 6);
  expect(video(() => 0, none)).toBe(100);
});

test('limits of the encoder are shares of time by their name', () => {
  const limitedBy = (second: number) => (second < 6 ? 'cpu' : second < 24 ? 'bandwidth' : 'none');
  expect(summaryOf(aProbe('1a').sendsVideo({ limitedBy }), 'send', 'video')).toMatchObject({
    cpuLimitedPercent: 10,
    bandwidthLimitedPercent: 30,
  });
});
