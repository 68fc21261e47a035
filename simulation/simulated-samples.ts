import { audioPacketsPerSecond } from '../model/codec.js';
import { sentStreams } from '../model/expected-streams.js';
import type { Media } from '../model/plan.js';
import type { ProbeHostId } from '../model/probe-host.js';
import type { ReceiveStreamSample, Sample, SendStreamSample, StreamSample } from '../model/sample.js';
import { type Leg, layerAsked, type Participant, type ReceivedStream, receivedStreams } from '../model/scenario.js';
import type { Turns } from '../model/turns.js';
import type { Conditions } from './conditions.js';

/** What a sample of a probe that does not exist is made from. */
interface SimulatedSecond {
  readonly host: ProbeHostId;
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
const audioSamplesPerSecond = 48_000;
const payloadBytes = 1100;
const rampMs = 1000;
/** The share of frames that a probe host without CPU to spare still handles. */
const overloadedShare = 0.6;

/** One second of one probe, in the shape and with the metrics that a browser's getStats gives. */
export function simulatedSample(participant: Participant, media: Media, second: SimulatedSecond): Sample {
  return {
    probe: participant.id,
    host: second.host,
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
    streams: participant.legs
      .flatMap((leg) => streamsOf(leg, media, second))
      .map((stream) => (participant.turns ? inTurns(stream, participant.turns, second) : stream)),
  };
}

/** A question every eight seconds, whose answer comes by the way there and back. */
function inTurns(stream: StreamSample, { part, pauseMs }: Turns, { atMs, conditions }: SimulatedSecond): StreamSample {
  if (part !== 'asks' || stream.direction !== 'receive') return stream;
  const isAnswered = Math.floor(atMs / 1000) % 8 === 0;
  const answer = isAnswered ? { answerMs: pauseMs + round(conditions.rttMs) } : {};
  const turns = { questions: isAnswered ? 1 : 0, unansweredQuestions: 0, interruptedQuestions: 0, ...answer };
  return { ...stream, metrics: { ...stream.metrics, ...turns } };
}

function streamsOf(leg: Leg, media: Media, second: SimulatedSecond): StreamSample[] {
  return [
    ...sentStreams(leg).map((stream) => sent(leg, stream, media, second)),
    ...receivedStreams(leg).map((stream) => received(leg.id, stream, media, second)),
  ];
}

// Whole literals, nothing spread: a simulated run makes a hundred thousand of these, and must take a second.

function sent(
  { id: leg, layers }: Leg,
  { kind, stream }: ReturnType<typeof sentStreams>[number],
  media: Media,
  second: SimulatedSecond,
): SendStreamSample {
  const layer = stream === undefined ? undefined : layers?.find(({ rid }) => rid === stream);
  const { lossShare, rttMs } = second.conditions;
  if (kind === 'audio') {
    const metrics = {
      bytesSent: audioKbps * 125,
      packetsSent: audioPacketsPerSecond,
      packetsResent: 0,
      targetKbps: audioKbps,
      remotePacketsLost: 0,
      remoteJitterMs: 2,
      rttMs: round(rttMs),
    };
    return { leg, direction: 'send', kind, metrics };
  }
  const kbps = videoKbps(layer?.kbps ?? media.videoKbps, second);
  const shrunkBy = layer?.shrunkBy ?? 1;
  const fps = second.overloaded ? Math.round(media.framesPerSecond * overloadedShare) : media.framesPerSecond;
  const packetsSent = Math.ceil((kbps * 125) / payloadBytes);
  const metrics = {
    bytesSent: Math.round(kbps * 125),
    packetsSent,
    packetsResent: Math.round(packetsSent * lossShare),
    targetKbps: round(kbps),
    framesEncoded: fps,
    framesSent: fps,
    keyFramesEncoded: 0,
    encodeMs: fps * 3,
    frameWidth: media.width / shrunkBy,
    frameHeight: media.height / shrunkBy,
    sourceFps: fps,
    nacksReceived: 0,
    plisReceived: 0,
    remotePacketsLost: 0,
    remoteJitterMs: 2,
    rttMs: round(rttMs),
  };
  const qualityLimitation = second.overloaded ? 'cpu' : 'none';
  return stream === undefined
    ? { leg, direction: 'send', kind, metrics, qualityLimitation }
    : { leg, direction: 'send', kind, stream, metrics, qualityLimitation };
}

function received(leg: string, expected: ReceivedStream, media: Media, second: SimulatedSecond): ReceiveStreamSample {
  const { kind, stream } = expected;
  const { width = media.width, kbps = media.videoKbps } = layerAsked(expected) ?? {};
  const picture = { ...media, width, height: (media.height * width) / media.width, videoKbps: kbps };
  const metrics = kind === 'audio' ? receivedAudio(second) : receivedVideo(picture, second);
  return stream === undefined
    ? { leg, direction: 'receive', kind, metrics }
    : { leg, direction: 'receive', kind, stream, metrics };
}

function receivedAudio({ conditions }: SimulatedSecond): ReceiveStreamSample['metrics'] {
  const { lossShare, jitterMs } = conditions;
  const packetsLost = Math.round(audioPacketsPerSecond * lossShare);
  return {
    bytesReceived: Math.round(audioKbps * 125 * (1 - lossShare)),
    packetsReceived: audioPacketsPerSecond - packetsLost,
    packetsLost,
    packetsDiscarded: 0,
    jitterMs: round(jitterMs),
    jitterBufferMs: round(30 + 2 * jitterMs),
    concealedSamples: Math.round(audioSamplesPerSecond * lossShare),
    silentConcealedSamples: 0,
    concealmentEvents: packetsLost,
    totalSamples: audioSamplesPerSecond,
    audioLevel: 0.2,
  };
}

function receivedVideo(media: Media, second: SimulatedSecond): ReceiveStreamSample['metrics'] {
  const { arrivingShare, lossShare, frozenMs, jitterMs } = second.conditions;
  const bytes = videoKbps(media.videoKbps, second) * 125 * arrivingShare;
  const packets = Math.ceil(bytes / payloadBytes);
  const packetsLost = Math.round(packets * lossShare);
  const shown = arrivingShare * (1 - frozenMs / 1000) * (second.overloaded ? overloadedShare : 1);
  const frames = Math.round(media.framesPerSecond * shown);
  return {
    bytesReceived: Math.round(bytes * (1 - lossShare)),
    packetsReceived: packets - packetsLost,
    packetsLost,
    jitterMs: round(jitterMs),
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
    jitterBufferMs: round(30 + 2 * jitterMs),
  };
}

/** From 60 % of the rate to all of it, within 2 %. */
function videoKbps(askedKbps: number, { ageMs, noise }: SimulatedSecond): number {
  return askedKbps * (1 - 0.4 * Math.exp(-ageMs / rampMs)) * (0.98 + 0.04 * noise);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
