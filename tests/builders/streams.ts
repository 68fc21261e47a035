import type { QualityLimitation } from '../../model/metric.js';
import type { StreamSample } from '../../model/sample.js';

/** A value for every second of the trial, or one for each (from 0). `null`: the metric is absent. */
export type PerSecond = number | null | ((second: number) => number | null);

export interface ReceivedVideo {
  readonly kbps?: PerSecond;
  readonly fps?: PerSecond;
  readonly lossPercent?: PerSecond;
  /** Packets that come again on an SSRC of their own; left out: resending was not negotiated so. */
  readonly resent?: PerSecond;
  /** Their payload, which is part of what `kbps` says; left out: unknown. */
  readonly resentKbps?: PerSecond;
  /** NACK packets; left out: unknown. */
  readonly nacks?: PerSecond;
  readonly jitterMs?: PerSecond;
  readonly freezeMs?: PerSecond;
  /** Left out: one in each second that has frozen time. */
  readonly freezes?: PerSecond;
  readonly width?: PerSecond;
  readonly jitterBufferMs?: PerSecond;
  /** Left out, or null: its frames have no marks. */
  readonly delayMs?: PerSecond;
  /** Frames of another sender, of those with marks; and whose. */
  readonly foreignPercent?: PerSecond;
  /** What the clocks of two hosts leave open of its delay. */
  readonly boundMs?: number;
  /** Of looks at its pictures, two a second. */
  readonly looks?: { readonly shownMs?: number; readonly still?: number; readonly blank?: number };
  readonly seen?: number;
  /** Left out: nobody compares its pictures with those that were sent. */
  readonly ssim?: PerSecond;
  /** Of a second: times between its frames. Left out: not known. */
  readonly between?: (second: number) => readonly number[];
}

export interface ReceivedAudio {
  readonly kbps?: PerSecond;
  readonly lossPercent?: PerSecond;
  readonly jitterMs?: PerSecond;
  readonly jitterBufferMs?: PerSecond;
  readonly concealedPercent?: PerSecond;
  /** Absent: unknown, as in runs of before. */
  readonly concealmentEvents?: PerSecond;
  /** Of all samples; those that are silence. */
  readonly silentConcealedPercent?: PerSecond;
  /** Absent: unknown. */
  readonly level?: PerSecond;
  /** Of what the host played; absent: unknown. */
  readonly synthesizedMs?: PerSecond;
  /** As of video. */
  readonly delayMs?: PerSecond;
  readonly foreignPercent?: PerSecond;
  readonly seen?: number;
}

export interface SentVideo {
  /** Absent: not known. */
  readonly width?: PerSecond;
  readonly kbps?: PerSecond;
  readonly fps?: PerSecond;
  readonly sourceFps?: PerSecond;
  /** What a visited page tells; left out: the metric is absent. */
  readonly askedFps?: PerSecond;
  /** Of an encoded probe; left out: a full one's, without the metric. */
  readonly replacedFps?: PerSecond;
  /** Up-link loss as the server reports it. */
  readonly lossPercent?: PerSecond;
  /** The server reports once in so many seconds; left out: in each. */
  readonly reportSeconds?: number;
  readonly rttMs?: PerSecond;
  readonly limitedBy?: (second: number) => QualityLimitation;
}

export interface SentAudio {
  readonly kbps?: PerSecond;
  readonly lossPercent?: PerSecond;
  readonly rttMs?: PerSecond;
}

/** The value in this second; `otherwise` is the healthy one. */
export const at = (value: PerSecond | undefined, second: number, otherwise: number): number | null =>
  typeof value === 'function' ? value(second) : value === undefined ? otherwise : value;

/** Mostly nothing is absent, and millions of these are made. */
const metrics = (values: Readonly<Record<string, number | null>>): Record<string, number> =>
  isWhole(values)
    ? values
    : Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

function isWhole(values: Readonly<Record<string, number | null>>): values is Record<string, number> {
  for (const name in values) if (values[name] === null) return false;
  return true;
}

const bytesOf = (kbps: number | null) => (kbps === null ? null : (kbps * 1000) / 8);
const lostOf = (arrived: number, percent: number | null) =>
  percent === null ? null : (arrived * percent) / (100 - percent);
const packetBytes = 1100;

export function receivedVideo(leg: string, video: ReceivedVideo, second: number): StreamSample {
  const kbps = at(video.kbps, second, 500);
  const fps = at(video.fps, second, 30);
  const packets = (bytesOf(kbps) ?? 0) / packetBytes;
  const freezeMs = at(video.freezeMs, second, 0);
  const resent = video.resent === undefined ? null : at(video.resent, second, 0);
  const values = {
    bytesReceived: bytesOf(kbps),
    packetsReceived: packets + (resent ?? 0),
    packetsLost: lostOf(packets, at(video.lossPercent, second, 0)),
    resentPacketsReceived: resent,
    resentBytesReceived: video.resentKbps === undefined ? null : bytesOf(at(video.resentKbps, second, 0)),
    nacksSent: video.nacks === undefined ? null : at(video.nacks, second, 0),
    jitterMs: at(video.jitterMs, second, 5),
    framesReceived: fps,
    framesDecoded: fps,
    freezes: freezeMs === null ? null : at(video.freezes, second, freezeMs > 0 ? 1 : 0),
    freezeMs,
    jitterBufferMs: at(video.jitterBufferMs, second, 40),
    ...(video.between ? betweenOf(video.between(second)) : {}),
    frameWidth: at(video.width, second, 640),
    frameHeight: 360,
    ...(video.delayMs === undefined ? {} : marksOf(video, second, fps ?? 0)),
    ...(video.looks ? looksOf(video.looks) : {}),
    ...(video.ssim === undefined ? {} : { ssim: at(video.ssim, second, 1) }),
  };
  const { seen } = video;
  return {
    leg,
    direction: 'receive',
    kind: 'video',
    metrics: metrics(values),
    ...(seen ? { foreignSender: seen } : {}),
  };
}

function marksOf(
  { delayMs, foreignPercent, boundMs }: Pick<ReceivedVideo, 'delayMs' | 'foreignPercent' | 'boundMs'>,
  second: number,
  fps: number,
) {
  const told = at(delayMs, second, 0);
  if (told === null) return {};
  const foreignFrames = (fps * (at(foreignPercent, second, 0) ?? 0)) / 100;
  const bound = boundMs === undefined ? {} : { delayBoundMs: boundMs };
  return { markedFrames: fps, unmarkedFrames: 0, foreignFrames, delayMs: told, delayMaxMs: told, ...bound };
}

const looksOf = ({ shownMs, still = 0, blank = 0 }: NonNullable<ReceivedVideo['looks']>) => ({
  picturesRead: 2,
  stillPictures: 2 * still,
  blankPictures: 2 * blank,
  ...(shownMs === undefined ? {} : { shownMs, shownMaxMs: shownMs }),
});

function betweenOf(times: readonly number[]) {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  return { interFrameMs: sum(times), interFrameSquaredMs: sum(times.map((ms) => ms * ms)) };
}

export function receivedAudio(leg: string, audio: ReceivedAudio, second: number): StreamSample {
  const kbps = at(audio.kbps, second, 40);
  const concealed = at(audio.concealedPercent, second, 0);
  const values = {
    bytesReceived: bytesOf(kbps),
    packetsReceived: kbps === 0 ? 0 : 50,
    packetsLost: lostOf(50, at(audio.lossPercent, second, 0)),
    jitterMs: at(audio.jitterMs, second, 3),
    jitterBufferMs: at(audio.jitterBufferMs, second, 40),
    concealedSamples: concealed === null ? null : 480 * concealed,
    silentConcealedSamples: concealed === null ? null : 480 * (at(audio.silentConcealedPercent, second, 0) ?? 0),
    ...(audio.concealmentEvents === undefined ? {} : { concealmentEvents: at(audio.concealmentEvents, second, 0) }),
    totalSamples: concealed === null ? null : 48_000,
    ...(audio.level === undefined ? {} : { audioLevel: at(audio.level, second, 0) }),
    ...(audio.synthesizedMs === undefined
      ? {}
      : { synthesizedPlayoutMs: at(audio.synthesizedMs, second, 0), playoutMs: 1000 }),
    ...(audio.delayMs === undefined ? {} : marksOf(audio, second, 50)),
  };
  const { seen } = audio;
  return {
    ...{ leg, direction: 'receive', kind: 'audio', metrics: metrics(values) },
    ...(seen ? { foreignSender: seen } : {}),
  };
}

export function sentVideo(leg: string, video: SentVideo, second: number): StreamSample {
  const kbps = at(video.kbps, second, 500);
  const packets = (bytesOf(kbps) ?? 0) / packetBytes;
  const values = {
    bytesSent: bytesOf(kbps),
    packetsSent: packets,
    framesSent: at(video.fps, second, 30),
    frameWidth: video.width === undefined ? null : at(video.width, second, 640),
    framesEncoded: at(video.fps, second, 30),
    framesReplaced: video.replacedFps === undefined ? null : at(video.replacedFps, second, 30),
    sourceFps: at(video.sourceFps, second, 30),
    askedFps: video.askedFps === undefined ? null : at(video.askedFps, second, 30),
    ...reportedBy(video, second),
  };
  const qualityLimitation = video.limitedBy?.(second) ?? 'none';
  return { leg: leg, direction: 'send', kind: 'video', metrics: metrics(values), qualityLimitation };
}

/** What was lost in all seconds since the report before. */
function reportedBy({ kbps, lossPercent, reportSeconds = 1, rttMs }: SentVideo, second: number) {
  if (second % reportSeconds !== 0) return {};
  let lost: number | null = 0;
  for (let one = Math.max(0, second - reportSeconds + 1); one <= second; one += 1) {
    const percent = at(lossPercent, one, 0);
    const packets = (bytesOf(at(kbps, one, 500)) ?? 0) / packetBytes;
    lost = percent === null || lost === null ? null : lost + (packets * percent) / 100;
  }
  return { remotePacketsLost: lost, rttMs: at(rttMs, second, 20) };
}

export function sentAudio(leg: string, audio: SentAudio, second: number): StreamSample {
  const loss = at(audio.lossPercent, second, 0);
  const values = {
    bytesSent: bytesOf(at(audio.kbps, second, 40)),
    packetsSent: 50,
    remotePacketsLost: loss === null ? null : loss / 2,
    rttMs: at(audio.rttMs, second, 20),
  };
  return { leg: leg, direction: 'send', kind: 'audio', metrics: metrics(values) };
}
