import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { receiveMetrics, sendMetrics } from '../../model/metric.js';
import type { StreamSample } from '../../model/sample.js';
import type { Leg, MediaKind } from '../../model/scenario.js';
import { missingStreams, outOfTime } from './join-watch.js';
import { legSample } from './leg-sample.js';
import { readingTimeMs, type StatsEntry, type StatsReport } from './stats-report.js';
import { type LegFacts, streamSamples as samplesOfStreams } from './stream-samples.js';

/**
 * Two readings of a real call, one second apart (Chromium 156, getStats of one RTCPeerConnection, cut to what is read;
 * media-playout is of another call).
 */
const recorded = JSON.parse(
  readFileSync(new URL('recorded-stats.json', import.meta.url), 'utf8'),
) as readonly (readonly StatsEntry[])[];

const reportOf = (entries: readonly StatsEntry[] = []): StatsReport =>
  new Map(entries.map((entry) => [entry.id, entry]));
const [first, second] = recorded.map(reportOf) as [StatsReport, StatsReport];
const leg: Leg = {
  id: '1a',
  sends: ['audio', 'video'],
  receives: ['audio', 'video'],
  from: { participant: '1b' },
};

const minuteOld: LegFacts = { ageMs: 60_000 };
const streamSamples = (of: Leg, before: StatsReport | undefined, now: StatsReport, facts = minuteOld) =>
  samplesOfStreams(of, before, now, facts);

type Change = (entry: StatsEntry) => StatsEntry | undefined;

/** A report with the entries of one type and kind changed, or taken out. */
function changed(report: StatsReport, type: string, kind: MediaKind, change: Change): StatsReport {
  const entries = [...report.values()].map((entry) =>
    entry.type === type && entry.kind === kind ? change(entry) : entry,
  );
  return reportOf(entries.filter((entry) => entry !== undefined));
}

function streamIn(samples: readonly StreamSample[], direction: string, kind: MediaKind): StreamSample {
  const found = samples.find((sample) => sample.direction === direction && sample.kind === kind);
  if (!found) throw new Error(`no ${direction} ${kind}`);
  return found;
}

const metricsOf = (sample: StreamSample): Readonly<Record<string, number>> => sample.metrics;
const entry = (report: StatsReport, type: string, kind: MediaKind): StatsEntry => {
  const found = [...report.values()].find((one) => one.type === type && one.kind === kind);
  if (!found) throw new Error(`no ${type} ${kind}`);
  return found;
};

const elsewhere: readonly string[] = [
  'RTCRtpScriptTransform',
  'mark of the sender',
  'drawn mark of the sender',
  'turns of the probe',
  'resize of the video element',
  'shown picture beside the sent one',
  'MediaStreamTrack.getSettings().frameRate',
];

test('how much later sound is played than its pictures is told where both say of when it is, and of the pictures alone', () => {
  const playing = (report: StatsReport, kind: MediaKind, estimatedPlayoutTimestamp: number) =>
    changed(report, 'inbound-rtp', kind, (one) => ({ ...one, estimatedPlayoutTimestamp }));
  const pictures = playing(second, 'video', 4_004_864_847_735);
  const [both, alone] = [playing(pictures, 'audio', 4_004_864_847_711), pictures].map((report) =>
    streamSamples(leg, first, report).filter(({ direction }) => direction === 'receive'),
  );
  const told = (samples: readonly StreamSample[] = []) => samples.map((one) => metricsOf(one).soundPlayedLaterMs);
  expect(told(both)).toEqual([undefined, 24]);
  expect(told(alone)).toEqual([undefined, undefined]);
});

test('a second of a real call gives every metric of the catalogue that its stream can have', () => {
  const got = streamSamples(leg, first, second);
  const names = (direction: 'send' | 'receive', kind: MediaKind): readonly string[] =>
    Object.keys(metricsOf(streamIn(got, direction, kind))).sort();
  const catalogue = (direction: 'send' | 'receive', kind: MediaKind): readonly string[] =>
    Object.entries(direction === 'send' ? sendMetrics : receiveMetrics)
      .filter(([, definition]) => (definition.kinds as readonly MediaKind[]).includes(kind))
      // What only probes of other kinds have is no field of getStats.
      .filter(([, { source }]) => !elsewhere.includes(source))
      .map(([name]) => name)
      .sort();
  // No sender report had come of both of its streams.
  const told = catalogue('receive', 'video').filter((name) => name !== 'soundPlayedLaterMs');
  expect(names('receive', 'video')).toEqual(told);
  expect(names('receive', 'audio')).toEqual(catalogue('receive', 'audio'));
  // The audio stream's last receiver report is that of the reading before: it says nothing new in this second.
  const fresh = ['remotePacketsLost', 'remoteJitterMs', 'rttMs', 'roundTripsDropped'];
  expect(names('send', 'video')).toEqual(catalogue('send', 'video'));
  expect(names('send', 'audio')).toEqual(catalogue('send', 'audio').filter((name) => !fresh.includes(name)));
});

test('deltas are the difference of two readings, in the units of their names', () => {
  const got = streamSamples(leg, first, second);
  const delta = (type: string, kind: MediaKind, field: string): number =>
    Number(entry(second, type, kind)[field]) - Number(entry(first, type, kind)[field]);
  const seen = metricsOf(streamIn(got, 'receive', 'video'));
  expect(seen).toMatchObject({
    bytesReceived: delta('inbound-rtp', 'video', 'bytesReceived'),
    framesDecoded: delta('inbound-rtp', 'video', 'framesDecoded'),
    jitterMs: Number(entry(second, 'inbound-rtp', 'video').jitter) * 1000,
    frameWidth: 640,
    frameHeight: 360,
  });
  expect(seen.jitterBufferMs).toBeCloseTo(
    (1000 * delta('inbound-rtp', 'video', 'jitterBufferDelay')) /
      delta('inbound-rtp', 'video', 'jitterBufferEmittedCount'),
    9,
  );
  const sent = metricsOf(streamIn(got, 'send', 'video'));
  expect(sent.encodeMs).toBeCloseTo(1000 * delta('outbound-rtp', 'video', 'totalEncodeTime'), 9);
  expect(sent.targetKbps).toBe(Number(entry(second, 'outbound-rtp', 'video').targetBitrate) / 1000);
  const heard = metricsOf(streamIn(got, 'receive', 'audio'));
  expect(heard.totalSamples).toBe(delta('inbound-rtp', 'audio', 'totalSamplesReceived'));
  expect(heard.audioLevel).toBeGreaterThan(0);
  expect([heard.playoutMs, heard.synthesizedPlayoutMs].map((ms) => Math.round(ms ?? 0))).toEqual([1000, 30]);
});

test('loss of a second may be below zero, where late packets filled gaps', () => {
  const before = changed(first, 'inbound-rtp', 'video', (one) => ({ ...one, packetsLost: 7 }));
  const now = changed(second, 'inbound-rtp', 'video', (one) => ({ ...one, packetsLost: 5 }));
  expect(streamIn(streamSamples(leg, before, now), 'receive', 'video').metrics).toMatchObject({ packetsLost: -2 });
});

test('a field that getStats does not give is absent, never zero', () => {
  const now = changed(second, 'inbound-rtp', 'audio', ({ jitter, concealedSamples, ...rest }) => rest);
  const heard = streamIn(streamSamples(leg, first, now), 'receive', 'audio');
  expect(heard.metrics).not.toHaveProperty('jitterMs');
  expect(heard.metrics).not.toHaveProperty('concealedSamples');
  expect(heard.metrics).toHaveProperty('packetsReceived');
});

test('a stream that getStats does not know is a sample without metrics, so that it is seen to be missing', () => {
  const gone = changed(second, 'inbound-rtp', 'video', () => undefined);
  expect(streamIn(streamSamples(leg, first, gone), 'receive', 'video')).toEqual({
    leg: '1a',
    direction: 'receive',
    kind: 'video',
    metrics: {},
  });
});

test('a stream that is new has gauges and no deltas, and is not called restarted', () => {
  const without = changed(first, 'inbound-rtp', 'video', () => undefined);
  const seen = streamIn(streamSamples(leg, without, second), 'receive', 'video');
  expect(seen.restarted).toBeUndefined();
  expect(Object.keys(seen.metrics).sort()).toEqual(['frameHeight', 'frameWidth', 'jitterMs']);
});

test('a changed SSRC starts afresh and is flagged, with no deltas across the change', () => {
  const now = changed(second, 'inbound-rtp', 'video', (one) => ({ ...one, id: 'IT01V999', bytesReceived: 1e9 }));
  const seen = streamIn(streamSamples(leg, first, now), 'receive', 'video');
  expect(seen.restarted).toBe(true);
  expect(seen.metrics).not.toHaveProperty('bytesReceived');
});

test('where the SSRC of video changes the frames of both count, and of the new one alone only how long it was shown', () => {
  const at = (framesDecoded: number) => ({ id: 'IT01V999', framesDecoded, totalInterFrameDelay: 0.2 });
  const now = changed(second, 'inbound-rtp', 'video', (one) => ({ ...one, ...at(7) }));
  const metrics = (before: StatsReport, current = now) =>
    metricsOf(streamIn(streamSamples(leg, before, current), 'receive', 'video'));
  expect(metrics(first)).toMatchObject({ interFrameMs: 200 });
  expect(metrics(first)).not.toHaveProperty('framesDecoded');
  const old = entry(first, 'inbound-rtp', 'video');
  const ended = { ...old, framesDecoded: Number(old.framesDecoded) + 20, lastPacketReceivedTimestamp: 0 };
  expect(metrics(first, reportOf([...now.values(), ended])).framesDecoded).toBe(27);
  const known = { ...entry(now, 'inbound-rtp', 'video'), ...at(5), lastPacketReceivedTimestamp: 0 };
  expect(metrics(reportOf([...first.values(), known]), reportOf([...now.values(), ended])).framesDecoded).toBe(22);
  const shown = (report: StatsReport, framesShown: number) =>
    changed(report, 'inbound-rtp', 'video', (one) => ({ ...one, framesShown }));
  expect(metrics(shown(first, 900), shown(now, 930)).framesDecoded).toBe(30);
});

test('of an old and a new SSRC in one report the one that heard something last counts', () => {
  const lingering = entry(second, 'inbound-rtp', 'video');
  const fresh = {
    ...lingering,
    id: 'IT01V999',
    lastPacketReceivedTimestamp: lingering.timestamp + 500,
    frameWidth: 320,
  };
  const now = reportOf([...second.values(), fresh]);
  expect(streamIn(streamSamples(leg, first, now), 'receive', 'video').metrics).toMatchObject({ frameWidth: 320 });
});

test('counters that went back are flagged as a restart and give no negative deltas', () => {
  const now = changed(second, 'outbound-rtp', 'video', (one) => ({ ...one, bytesSent: 10, packetsSent: 1 }));
  const sent = streamIn(streamSamples(leg, first, now), 'send', 'video');
  expect(sent.restarted).toBe(true);
  expect(sent.metrics).not.toHaveProperty('bytesSent');
  expect(sent.metrics).not.toHaveProperty('framesEncoded');
});

test('one odd counter that shrinks is left out alone', () => {
  const before = changed(first, 'inbound-rtp', 'video', (one) => ({ ...one, framesDropped: 1e6 }));
  const seen = streamIn(streamSamples(leg, before, second), 'receive', 'video');
  expect(seen.restarted).toBeUndefined();
  expect(seen.metrics).not.toHaveProperty('framesDropped');
  expect(seen.metrics).toHaveProperty('framesDecoded');
});

test('nothing left the jitter buffer: its mean wait is unknown, not zero', () => {
  const { jitterBufferDelay, jitterBufferEmittedCount } = entry(first, 'inbound-rtp', 'video');
  const now = changed(second, 'inbound-rtp', 'video', (one) => ({
    ...one,
    jitterBufferDelay,
    jitterBufferEmittedCount,
  }));
  expect(streamIn(streamSamples(leg, first, now), 'receive', 'video').metrics).not.toHaveProperty('jitterBufferMs');
});

test('up-link loss between two receiver reports is their difference, and unknown at the first one', () => {
  const lost = (report: StatsReport, packetsLost: number, later: number): StatsReport =>
    changed(report, 'remote-inbound-rtp', 'video', (one) => ({
      ...one,
      packetsLost,
      timestamp: one.timestamp + later,
    }));
  const sent = (before: StatsReport): StreamSample =>
    streamIn(streamSamples(leg, before, lost(second, 9, 1000)), 'send', 'video');
  expect(sent(lost(first, 4, 0)).metrics).toMatchObject({ remotePacketsLost: 5 });
  const none = changed(first, 'remote-inbound-rtp', 'video', () => undefined);
  expect(sent(none).metrics).not.toHaveProperty('remotePacketsLost');
  expect(sent(none).metrics).toHaveProperty('rttMs');
});

const videoReport = (changes: Partial<StatsEntry>, of = second): StatsReport =>
  changed(of, 'remote-inbound-rtp', 'video', (one) => ({ ...one, ...changes }));

test('a round trip longer than the leg has lived, or than 30 s, is left out and counted as dropped', () => {
  const read = (roundTripTime: number, ageMs: number) =>
    metricsOf(streamIn(streamSamples(leg, first, videoReport({ roundTripTime }), { ageMs }), 'send', 'video'));
  expect(read(0.02, 5000)).toMatchObject({ rttMs: 20, roundTripsDropped: 0 });
  for (const wrong of [read(1526.31, 3_600_000), read(30.1, 3_600_000), read(5.1, 5000)]) {
    expect(wrong).not.toHaveProperty('rttMs');
    expect(wrong).toMatchObject({ roundTripsDropped: 1, remotePacketsLost: expect.any(Number) });
  }
  const pair = (currentRoundTripTime: number) =>
    reportOf(
      [...second.values()].map((one) => (one.type === 'candidate-pair' ? { ...one, currentRoundTripTime } : one)),
    );
  expect(legSample('1a', 'connected', pair(0.02), { ageMs: 5000 })).toMatchObject({ rttMs: 20 });
  const dropped = legSample('1a', 'connected', pair(1526.3), minuteOld);
  expect(dropped).toMatchObject({ roundTripsDropped: 1 });
  expect(dropped).not.toHaveProperty('rttMs');
});

test('a report that measured no round trip repeats none', () => {
  const [before, again] = [videoReport({ roundTripTimeMeasurements: 3 }, first), { roundTripTimeMeasurements: 3 }];
  const sent = (now: StatsReport) => metricsOf(streamIn(streamSamples(leg, before, now), 'send', 'video'));
  expect(sent(videoReport(again))).not.toHaveProperty('rttMs');
  expect(sent(videoReport({ roundTripTimeMeasurements: 4 }))).toHaveProperty('rttMs');
});

test('a sent stream says whether it is sent again on an SSRC of its own, and nothing before that is negotiated', () => {
  const sent = (facts: LegFacts) => streamIn(streamSamples(leg, first, second, facts), 'send', 'video');
  expect(sent({ ageMs: 60_000, rtx: ['video'] })).toMatchObject({ rtx: true });
  expect(sent({ ageMs: 60_000, rtx: [] })).toMatchObject({ rtx: false });
  expect(sent(minuteOld)).not.toHaveProperty('rtx');
});

test('the quality limitation is read for video only', () => {
  const now = changed(second, 'outbound-rtp', 'video', (one) => ({ ...one, qualityLimitationReason: 'cpu' }));
  const got = streamSamples(leg, first, now);
  expect(streamIn(got, 'send', 'video')).toHaveProperty('qualityLimitation', 'cpu');
  expect(streamIn(got, 'send', 'audio')).not.toHaveProperty('qualityLimitation');
});

test('a leg shows its selected candidate pair, and nothing of it before there is one', () => {
  expect(legSample('1a', 'connected', second, minuteOld)).toMatchObject({
    leg: '1a',
    connectionState: 'connected',
    localCandidateType: 'host',
    protocol: 'udp',
    availableOutgoingKbps: expect.any(Number),
    rttMs: expect.any(Number),
  });
  expect(legSample('1a', 'new', new Map(), minuteOld)).toEqual({ leg: '1a', connectionState: 'new' });
});

test('the time of a reading is that of its streams, not of a receiver report', () => {
  const streams = entry(second, 'inbound-rtp', 'video').timestamp;
  const late = changed(second, 'remote-inbound-rtp', 'video', (one) => ({ ...one, timestamp: streams + 60_000 }));
  expect(readingTimeMs(late)).toBe(streams);
  expect(readingTimeMs(new Map())).toBeUndefined();
});

test('video is missing until a frame was decoded, audio until a packet came', () => {
  expect(missingStreams(leg, second)).toEqual([]);
  const undecoded = changed(second, 'inbound-rtp', 'video', (one) => ({ ...one, framesDecoded: 0 }));
  expect(missingStreams(leg, undecoded)).toEqual(['video from 1b']);
  expect(missingStreams({ ...leg, from: { mix: true } }, new Map())).toEqual(['audio of the mix', 'video of the mix']);
});

const outcomes: readonly (Pick<Parameters<typeof outOfTime>[0], 'join'> & {
  readonly missing?: readonly string[];
  readonly code: string;
  readonly detail: string;
})[] = [
  { join: {}, code: 'signalling-timeout', detail: 'no SDP answer in 10 s' },
  { join: { answerMs: 90 }, code: 'ice-timeout', detail: 'no ICE connection in 10 s (state checking)' },
  {
    join: { answerMs: 90, iceConnectedMs: 200 },
    code: 'dtls-timeout',
    detail: 'no DTLS connection in 10 s (state connecting)',
  },
  {
    join: { answerMs: 90, iceConnectedMs: 200, dtlsConnectedMs: 800 },
    code: 'no-media',
    detail: 'connected, but no video from 1b for 9.2 s',
  },
  {
    join: { answerMs: 90, iceConnectedMs: 200, dtlsConnectedMs: 800 },
    missing: [],
    code: 'no-media',
    detail: 'connected, its media came too late',
  },
];

for (const { join, missing = ['video from 1b'], code, detail } of outcomes) {
  test(`a probe out of time says "${detail}"`, () => {
    const legs = [{ iceState: 'checking', connectionState: 'connecting', description: '' }];
    expect(outOfTime({ join, elapsedMs: 10_004, legs, missing })).toMatchObject({ code, detail });
  });
}

test('two streams of a kind on one connection are told apart by their media sections, and nobody else is taken for them', () => {
  const twice: Leg = {
    id: '1a',
    sends: [],
    receives: ['video'],
    from: ['2b', '3b', '4b'].map((id) => ({ participant: id, kinds: ['video'] })),
  };
  const others = (report: StatsReport, frames: number): StatsReport => {
    const video = entry(report, 'inbound-rtp', 'video');
    const again = (id: string, mid: string) => ({ ...video, id, mid, framesDecoded: frames });
    return reportOf([...report.values(), again('other', 'r2'), again('nobody', 'r3')]);
  };
  const own = new Map([
    [String(entry(second, 'inbound-rtp', 'video').mid), '2b'],
    ['r2', '3b'],
  ]);
  const [before, now] = [others(first, 100), others(second, 107)];
  const got = streamSamples(twice, before, now, { ageMs: 60_000, streamOfMid: own });
  expect(got.map(({ stream, metrics }) => [stream, 'framesDecoded' in metrics && metrics.framesDecoded])).toEqual([
    [
      '2b',
      Number(entry(second, 'inbound-rtp', 'video').framesDecoded) -
        Number(entry(first, 'inbound-rtp', 'video').framesDecoded),
    ],
    ['3b', 7],
    ['4b', false],
  ]);
  expect(missingStreams(twice, now, own)).toEqual(['video from 4b']);
  expect(missingStreams(twice, now)).toEqual(['video from 2b', 'video from 3b', 'video from 4b']);
});

test('a screen says so: it has a new picture when it changes, and is not frozen in between', () => {
  const screen = (frames: number, freezes: number): StatsReport =>
    changed(second, 'inbound-rtp', 'video', (one) => ({
      ...one,
      ...{ contentType: 'screenshare', framesDecoded: frames, freezeCount: freezes, packetsLost: -17, jitter: null },
    }));
  const sample = streamIn(streamSamples(leg, screen(554, 5), screen(555, 6)), 'receive', 'video');
  expect(sample).toMatchObject({ screen: true, metrics: { framesDecoded: 1, packetsLost: 0 } });
  expect(sample.metrics).not.toHaveProperty('jitterMs');
});

test('a stream that stands still had nothing, and is left out only where the server said that its source is gone', () => {
  // getStats has no word for a layer that a server has paused, and its viewer sees a still picture.
  const still = changed(second, 'inbound-rtp', 'video', (one) => ({
    ...one,
    ...{ framesDecoded: 555, bytesReceived: 2703176, freezeCount: null, totalFreezesDuration: null },
  }));
  const sample = streamIn(streamSamples(leg, still, still), 'receive', 'video');
  expect(sample).toMatchObject({ metrics: { framesDecoded: 0, bytesReceived: 0 } });
  for (const unknown of ['freezes', 'freezeMs']) expect(sample.metrics).not.toHaveProperty(unknown);
  expect(sample).not.toHaveProperty('away');
  const many: Leg = { ...leg, sends: [], receives: ['video'], from: [{ participant: '1b', kinds: ['video'] }] };
  expect(streamSamples(many, still, still, { ageMs: 60_000, away: new Set(['1b']) })).toEqual([
    { leg: '1a', direction: 'receive', kind: 'video', stream: '1b', metrics: {}, away: true },
  ]);
});
