import type { QualityLimitation } from '../../model/metric.js';
import type { LegSample, Sample, StreamSample } from '../../model/sample.js';
import type { Leg, MediaKind, Participant } from '../../model/scenario.js';
import type { JoinTimes, ProbeFailure, ProbeFailureCode, ProbeRecord } from '../../model/trial.js';

/** A value for every second of the trial, or one for each (from 0). `null`: the metric is absent. */
export type PerSecond = number | null | ((second: number) => number | null);

export interface ReceivedVideo {
  readonly kbps?: PerSecond;
  readonly fps?: PerSecond;
  readonly lossPercent?: PerSecond;
  readonly jitterMs?: PerSecond;
  readonly freezeMs?: PerSecond;
  readonly width?: PerSecond;
}

export interface ReceivedAudio {
  readonly kbps?: PerSecond;
  readonly lossPercent?: PerSecond;
  readonly jitterMs?: PerSecond;
  readonly jitterBufferMs?: PerSecond;
  readonly concealedPercent?: PerSecond;
}

export interface SentVideo {
  readonly kbps?: PerSecond;
  readonly fps?: PerSecond;
  readonly sourceFps?: PerSecond;
  /** Up-link loss as the server reports it. */
  readonly lossPercent?: PerSecond;
  readonly rttMs?: PerSecond;
  readonly limitedBy?: (second: number) => QualityLimitation;
}

export interface SentAudio {
  readonly kbps?: PerSecond;
  readonly lossPercent?: PerSecond;
  readonly rttMs?: PerSecond;
}

/** How the probe is read, and its transport. */
export interface Readings {
  readonly lateMs?: PerSecond;
  readonly rttMs?: PerSecond;
  /** Seconds that give no sample. */
  readonly missing?: (second: number) => boolean;
}

interface Parts {
  readonly id: string;
  readonly role: string;
  readonly session: string;
  readonly from: string | 'mix';
  readonly streams: ReadonlyMap<string, (second: number) => StreamSample | null>;
  readonly readings: Readings;
  readonly up: boolean;
  readonly join: JoinTimes;
  readonly failures: readonly ProbeFailure[];
}

const at = (value: PerSecond | undefined, second: number, otherwise: number): number | null =>
  typeof value === 'function' ? value(second) : value === undefined ? otherwise : value;

const metrics = (values: Readonly<Record<string, number | null>>) =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

const bytesOf = (kbps: number | null) => (kbps === null ? null : (kbps * 1000) / 8);
const lostOf = (arrived: number, percent: number | null) =>
  percent === null ? null : (arrived * percent) / (100 - percent);
const packetBytes = 1100;

/** A healthy probe of a 1:1 call; every method returns a changed copy. */
export class ProbeBuilder {
  constructor(private readonly parts: Parts) {}

  get id(): string {
    return this.parts.id;
  }

  receivesVideo(video: ReceivedVideo = {}): ProbeBuilder {
    return this.with('receive', 'video', (second) => {
      const kbps = at(video.kbps, second, 500);
      const fps = at(video.fps, second, 30);
      const packets = (bytesOf(kbps) ?? 0) / packetBytes;
      const values = {
        bytesReceived: bytesOf(kbps),
        packetsReceived: packets,
        packetsLost: lostOf(packets, at(video.lossPercent, second, 0)),
        jitterMs: at(video.jitterMs, second, 5),
        framesReceived: fps,
        framesDecoded: fps,
        freezeMs: at(video.freezeMs, second, 0),
        jitterBufferMs: 40,
        frameWidth: at(video.width, second, 640),
        frameHeight: 360,
      };
      return { leg: this.parts.id, direction: 'receive', kind: 'video', metrics: metrics(values) };
    });
  }

  receivesAudio(audio: ReceivedAudio = {}): ProbeBuilder {
    return this.with('receive', 'audio', (second) => {
      const kbps = at(audio.kbps, second, 40);
      const concealed = at(audio.concealedPercent, second, 0);
      const values = {
        bytesReceived: bytesOf(kbps),
        packetsReceived: kbps === 0 ? 0 : 50,
        packetsLost: lostOf(50, at(audio.lossPercent, second, 0)),
        jitterMs: at(audio.jitterMs, second, 3),
        jitterBufferMs: at(audio.jitterBufferMs, second, 40),
        concealedSamples: concealed === null ? null : 480 * concealed,
        totalSamples: concealed === null ? null : 48_000,
      };
      return { leg: this.parts.id, direction: 'receive', kind: 'audio', metrics: metrics(values) };
    });
  }

  sendsVideo(video: SentVideo = {}): ProbeBuilder {
    return this.with('send', 'video', (second) => {
      const kbps = at(video.kbps, second, 500);
      const packets = (bytesOf(kbps) ?? 0) / packetBytes;
      const loss = at(video.lossPercent, second, 0);
      const values = {
        bytesSent: bytesOf(kbps),
        packetsSent: packets,
        framesSent: at(video.fps, second, 30),
        framesEncoded: at(video.fps, second, 30),
        sourceFps: at(video.sourceFps, second, 30),
        remotePacketsLost: loss === null ? null : (packets * loss) / 100,
        rttMs: at(video.rttMs, second, 20),
      };
      const qualityLimitation = video.limitedBy?.(second) ?? 'none';
      return { leg: this.parts.id, direction: 'send', kind: 'video', metrics: metrics(values), qualityLimitation };
    });
  }

  sendsAudio(audio: SentAudio = {}): ProbeBuilder {
    return this.with('send', 'audio', (second) => {
      const loss = at(audio.lossPercent, second, 0);
      const values = {
        bytesSent: bytesOf(at(audio.kbps, second, 40)),
        packetsSent: 50,
        remotePacketsLost: loss === null ? null : loss / 2,
        rttMs: at(audio.rttMs, second, 20),
      };
      return { leg: this.parts.id, direction: 'send', kind: 'audio', metrics: metrics(values) };
    });
  }

  /** getStats never knows this stream although the scenario expects it. */
  lacks(direction: 'send' | 'receive', kind: MediaKind): ProbeBuilder {
    return this.with(direction, kind, () => null);
  }

  /** The scenario expects no such stream of this probe. */
  without(direction: 'send' | 'receive', kind: MediaKind): ProbeBuilder {
    const streams = new Map(this.parts.streams);
    streams.delete(`${direction}/${kind}`);
    return new ProbeBuilder({ ...this.parts, streams });
  }

  inRole(role: string): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, role });
  }

  hearsTheMix(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, from: 'mix' });
  }

  isRead(readings: Readings): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, readings: { ...this.parts.readings, ...readings } });
  }

  joined(join: JoinTimes): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, join });
  }

  /** Fails; `up` tells whether it had been up before. */
  fails(code: ProbeFailureCode, detail: string, up = false): ProbeBuilder {
    const failure: ProbeFailure = { probe: this.parts.id, code, atMs: 0, detail };
    return new ProbeBuilder({ ...this.parts, up, failures: [...this.parts.failures, failure] });
  }

  neverUp(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, up: false });
  }

  participant(): Participant {
    const { id, role, session, from, streams } = this.parts;
    const kinds = (direction: string) =>
      (['audio', 'video'] as const).filter((kind) => streams.has(`${direction}/${kind}`));
    const receives = kinds('receive');
    const source = from === 'mix' ? ({ mix: true } as const) : { participant: from };
    const leg: Leg = { id, sends: kinds('send'), receives, ...(receives.length > 0 ? { from: source } : {}) };
    return { id, session, role, legs: [leg] };
  }

  record(): ProbeRecord {
    const { up, join, failures } = this.parts;
    return { participant: this.participant(), browser: 0, page: 0, up, join, failures };
  }

  /** One sample a second; the first ends a second after `startMs`. */
  samples(startMs: number, seconds: number): Sample[] {
    const { id, readings, streams } = this.parts;
    return Array.from({ length: seconds }, (_, second) => second)
      .filter((second) => !readings.missing?.(second))
      .map((second) => {
        const rttMs = at(readings.rttMs, second, 20);
        const leg: LegSample = { leg: id, connectionState: 'connected', ...(rttMs === null ? {} : { rttMs }) };
        return {
          probe: id,
          atMs: startMs + (second + 1) * 1000,
          intervalMs: 1000,
          lateMs: at(readings.lateMs, second, 2) ?? 0,
          legs: [leg],
          streams: [...streams.values()].flatMap((stream) => stream(second) ?? []),
        };
      });
  }

  private with(
    direction: 'send' | 'receive',
    kind: MediaKind,
    stream: (second: number) => StreamSample | null,
  ): ProbeBuilder {
    const streams = new Map(this.parts.streams);
    streams.set(`${direction}/${kind}`, stream);
    return new ProbeBuilder({ ...this.parts, streams });
  }
}

/** A healthy probe of a 1:1 call by its id: `3a` is the caller of session 3 and receives from `3b`. */
export function aProbe(id: string): ProbeBuilder {
  const session = id.slice(0, -1);
  const isCaller = id.endsWith('a');
  const join: JoinTimes = { answerMs: 50, iceConnectedMs: 200, dtlsConnectedMs: 300, firstFrameMs: 800 };
  const parts: Parts = {
    id,
    session,
    role: isCaller ? 'caller' : 'callee',
    from: `${session}${isCaller ? 'b' : 'a'}`,
    streams: new Map(),
    readings: {},
    up: true,
    join,
    failures: [],
  };
  return new ProbeBuilder(parts).sendsAudio().sendsVideo().receivesAudio().receivesVideo();
}
