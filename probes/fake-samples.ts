import type { Conditions } from '../model/conditions.js';
import type { Media } from '../model/plan.js';
import type { ReceiveStreamSample, Sample, SendStreamSample, StreamSample } from '../model/sample.js';
import type { Leg, MediaKind, Participant } from '../model/scenario.js';

/** What a sample of a probe that does not exist is made from. */
export interface FakeSecond {
  readonly atMs: number;
  /** Since the probe came up: senders start low and ramp, as congestion control makes them. */
  readonly ageMs: number;
  /** [0, 1), another one each second and probe. */
  readonly noise: number;
  /** True when the probe host is out of CPU. */
  readonly overloaded: boolean;
  readonly conditions: Conditions;
}

const audioKbps = 32;
const audioPacketsPerSecond = 50;
const audioSamplesPerSecond = 48_000;
const payloadBytes = 1100;
const rampMs = 2500;

/** One second of one probe, in the shape and with the metrics that a browser's getStats gives. */
export function fakeSample(participant: Participant, media: Media, second: FakeSecond): Sample {
  return {
    probe: participant.id,
    atMs: second.atMs,
    intervalMs: 1000,
    lateMs: second.overloaded ? 400 + Math.round(600 * second.noise) : round(6 * second.noise),
    legs: participant.legs.map((leg) => ({
      leg: leg.id,
      connectionState: 'connected',
      rttMs: round(second.conditions.rttMs),
      localCandidateType: 'host',
      protocol: 'udp',
    })),
    streams: participant.legs.flatMap((leg) => streamsOf(leg, media, second)),
  };
}

function streamsOf(leg: Leg, media: Media, second: FakeSecond): StreamSample[] {
  return [
    ...leg.sends.map((kind) => sent(leg.id, kind, media, second)),
    ...leg.receives.map((kind) => received(leg.id, kind, media, second)),
  ];
}

function sent(leg: string, kind: MediaKind, media: Media, second: FakeSecond): SendStreamSample {
  const { conditions, overloaded } = second;
  const kbps = kind === 'video' ? videoKbps(media, second) : audioKbps;
  const bytesSent = Math.round(kbps * 125);
  const common = {
    bytesSent,
    targetKbps: round(kbps),
    remotePacketsLost: 0,
    remoteJitterMs: 2,
    rttMs: round(conditions.rttMs),
  };
  if (kind === 'audio') {
    return {
      leg,
      direction: 'send',
      kind,
      metrics: { ...common, packetsSent: audioPacketsPerSecond, packetsResent: 0 },
    };
  }
  const fps = overloaded ? Math.round(media.framesPerSecond * 0.6) : media.framesPerSecond;
  const packetsSent = Math.ceil(bytesSent / payloadBytes);
  const metrics = {
    ...common,
    packetsSent,
    packetsResent: Math.round(packetsSent * conditions.lossShare),
    framesEncoded: fps,
    framesSent: fps,
    keyFramesEncoded: 0,
    encodeMs: fps * 3,
    frameWidth: media.width,
    frameHeight: media.height,
    sourceFps: fps,
    nacksReceived: 0,
    plisReceived: 0,
  };
  return { leg, direction: 'send', kind, metrics, qualityLimitation: overloaded ? 'cpu' : 'none' };
}

function received(leg: string, kind: MediaKind, media: Media, second: FakeSecond): ReceiveStreamSample {
  const { conditions } = second;
  const { lossShare, jitterMs } = conditions;
  const jitter = { jitterMs: round(jitterMs), jitterBufferMs: round(30 + 2 * jitterMs) };
  if (kind === 'audio') {
    const packetsLost = Math.round(audioPacketsPerSecond * lossShare);
    const concealedSamples = Math.round(audioSamplesPerSecond * lossShare);
    const metrics = {
      ...jitter,
      bytesReceived: Math.round(audioKbps * 125 * (1 - lossShare)),
      packetsReceived: audioPacketsPerSecond - packetsLost,
      packetsLost,
      packetsDiscarded: 0,
      concealedSamples,
      silentConcealedSamples: 0,
      totalSamples: audioSamplesPerSecond,
      audioLevel: 0.2,
    };
    return { leg, direction: 'receive', kind, metrics };
  }
  return { leg, direction: 'receive', kind, metrics: { ...jitter, ...receivedVideo(media, second) } };
}

function receivedVideo(media: Media, second: FakeSecond): ReceiveStreamSample['metrics'] {
  const { arrivingShare, lossShare, frozenMs } = second.conditions;
  const bytes = videoKbps(media, second) * 125 * arrivingShare;
  const packets = Math.ceil(bytes / payloadBytes);
  const packetsLost = Math.round(packets * lossShare);
  const frames = Math.round(
    media.framesPerSecond * arrivingShare * (1 - frozenMs / 1000) * (second.overloaded ? 0.6 : 1),
  );
  return {
    bytesReceived: Math.round(bytes * (1 - lossShare)),
    packetsReceived: packets - packetsLost,
    packetsLost,
    framesReceived: frames,
    framesDecoded: frames,
    framesDropped: 0,
    keyFramesDecoded: 0,
    frameWidth: media.width,
    frameHeight: media.height,
    freezes: frozenMs > 0 ? 1 : 0,
    freezeMs: frozenMs,
    nacksSent: packetsLost,
    plisSent: 0,
  };
}

/** From 60 % of the rate to all of it, within 2 %. */
function videoKbps(media: Media, { ageMs, noise }: FakeSecond): number {
  return media.videoKbps * (1 - 0.4 * Math.exp(-ageMs / rampMs)) * (0.98 + 0.04 * noise);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
