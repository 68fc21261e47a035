import type { AskedLayer } from '../../model/layer.js';
import type { LegSample, ReceiveStreamSample, Sample, StreamSample } from '../../model/sample.js';
import type { Leg, LegSource, MediaKind, Participant, StreamKind } from '../../model/scenario.js';
import type { JoinTimes, ProbeFailure, ProbeFailureCode, ProbeRecord } from '../../model/trial.js';
import {
  at,
  type PerSecond,
  type ReceivedAudio,
  type ReceivedVideo,
  receivedAudio,
  receivedVideo,
  type SentAudio,
  type SentVideo,
  sentAudio,
  sentVideo,
} from './streams.js';

/** How the probe is read, and its transport. */
interface Readings {
  readonly lateMs?: PerSecond;
  readonly rttMs?: PerSecond;
  /** Seconds that give no sample. */
  readonly missing?: (second: number) => boolean;
}

interface Parts {
  readonly id: string;
  readonly role: string;
  readonly presents?: true;
  readonly session: string;
  readonly from: string | 'mix';
  /** Instead of `from`, where a leg carries several. */
  readonly sources?: readonly LegSource[];
  readonly streams: ReadonlyMap<string, (second: number) => StreamSample | null>;
  readonly layer?: AskedLayer;
  /** Whose sound is silence. */
  readonly muted?: 'own' | 'source';
  /** It speaks and pauses, and so does who is heard. */
  readonly converses?: true;
  /** What it sends, or receives, is a screen. */
  readonly screen?: 'own' | 'source';
  /** How many a second it receives. */
  readonly messages?: number;
  readonly readings: Readings;
  readonly up: boolean;
  readonly encoded?: true;
  readonly join: JoinTimes;
  readonly failures: readonly ProbeFailure[];
}

/** A healthy probe of a 1:1 call; every method returns a changed copy. */
export class ProbeBuilder {
  constructor(private readonly parts: Parts) {}

  get id(): string {
    return this.parts.id;
  }

  receivesVideo(video: ReceivedVideo = {}): ProbeBuilder {
    return this.with('receive', 'video', (second) => receivedVideo(this.parts.id, video, second));
  }

  receivesAudio(audio: ReceivedAudio = {}): ProbeBuilder {
    return this.with('receive', 'audio', (second) => receivedAudio(this.parts.id, audio, second));
  }

  /** A leg that carries the video of several, and nothing else: one more of them. */
  receivesVideoFrom(source: string, video: ReceivedVideo = {}): ProbeBuilder {
    const named = (sample: StreamSample): StreamSample | null =>
      sample.direction === 'receive' ? { ...sample, stream: source } : null;
    const stream = (second: number) => named(receivedVideo(this.parts.id, video, second));
    const sources = [...(this.parts.sources ?? []), { participant: source, kinds: ['video'] } as const];
    const others = [...this.parts.streams].filter(([key]) => key.startsWith('receive/video/'));
    const streams = new Map([...others, [`receive/video/${source}`, stream] as const]);
    return new ProbeBuilder({ ...this.parts, sources, streams });
  }

  receivesMessages(metrics: (second: number) => ReceiveStreamSample['metrics']): ProbeBuilder {
    const of = { leg: this.parts.id, direction: 'receive', kind: 'data' } as const;
    const added = new ProbeBuilder({ ...this.parts, messages: 10 });
    return added.with('receive', 'data', (second) => ({ ...of, metrics: metrics(second) }));
  }

  sendsVideo(video: SentVideo = {}): ProbeBuilder {
    return this.with('send', 'video', (second) => sentVideo(this.parts.id, video, second));
  }

  sendsAudio(audio: SentAudio = {}): ProbeBuilder {
    return this.with('send', 'audio', (second) => sentAudio(this.parts.id, audio, second));
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

  /** Its media was encoded before. */
  isEncoded(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, encoded: true });
  }

  /** Of the video that it receives. */
  asksFor(layer: AskedLayer): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, layer });
  }

  isMute(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, muted: 'own' });
  }

  hearsWhoIsMute(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, muted: 'source' });
  }

  converses(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, converses: true });
  }

  sharesScreen(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, screen: 'own' });
  }

  seesScreen(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, screen: 'source' });
  }

  presenting(): ProbeBuilder {
    return new ProbeBuilder({ ...this.parts, presents: true });
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
    const { id, role, session, presents, from, sources, streams, layer, muted, converses, screen, messages } =
      this.parts;
    if (sources) return { id, session, role, legs: [{ id, sends: [], receives: ['video'], from: sources }] };
    const kinds = (direction: string) =>
      (['audio', 'video'] as const).filter((kind) => streams.has(`${direction}/${kind}`));
    const receives = kinds('receive');
    const mute = { muted: true } as const;
    const speechOf = (who: string) =>
      converses ? { speech: { ...speechIn(session), nth: who.endsWith('a') ? 0 : 1 } } : {};
    const sharing = (whose: Parts['screen']) => (screen === whose ? { screen: true as const } : {});
    const source =
      from === 'mix'
        ? ({ mix: true } as const)
        : {
            participant: from,
            ...(layer ? { layer } : {}),
            ...(muted === 'source' ? mute : {}),
            ...speechOf(from),
            ...sharing('source'),
            ...(messages === undefined ? {} : { data: messages }),
          };
    const sends = { sends: kinds('send'), ...(muted === 'own' ? mute : {}), ...speechOf(id), ...sharing('own') };
    const leg: Leg = { id, ...sends, receives, ...(receives.length > 0 ? { from: source } : {}) };
    return { id, session, role, ...(presents ? { presents } : {}), legs: [leg] };
  }

  record(): ProbeRecord {
    const { up, join, failures, encoded } = this.parts;
    const kind = encoded ? { encoded } : {};
    return { participant: this.participant(), browser: 0, page: 0, ...kind, up, join, failures };
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
    kind: StreamKind,
    stream: (second: number) => StreamSample | null,
  ): ProbeBuilder {
    const streams = new Map(this.parts.streams);
    streams.set(`${direction}/${kind}`, stream);
    return new ProbeBuilder({ ...this.parts, streams });
  }
}

/** Two voices. */
export const speechIn = (session: string) => ({ conversation: session, voices: 2 });

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
