import { saidBy } from '../model/errors.js';
import { type Ask, type AskedLayer, type AskedTurn, askAt, switchMostMs, turnsMs } from '../model/layer.js';
import type { ReceiveStreamSample, Sample, StreamSample } from '../model/sample.js';
import { layerAsked, type Participant, receivedStreams, senderOfSource } from '../model/scenario.js';
import type { LayerRequest } from '../server-setup/media-server.js';
import type { Clock } from './parts.js';

/** Samples come within a second or two: what was asked for before the last so many turns is not looked up any more. */
const mostKept = 8;

interface Since {
  readonly ms: number;
  readonly ask: Ask;
}

/** One stream of which not always the same is asked for. */
interface ChangingStream {
  readonly request: Omit<LayerRequest, 'ask'>;
  readonly layer: AskedLayer;
  /** The last is now. */
  readonly since: Since[];
}

interface Due {
  readonly fromMs: number;
  readonly ask: Ask;
  readonly stream: ChangingStream;
}

interface Asking {
  readonly clock: Clock;
  readonly onFailure: (leg: string, detail: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Asks the server for what participants show, as that changes, and writes into each sample what was asked for in its
 * second. Then judging rests on samples alone.
 */
export class Asks {
  /** By probe, then by leg and stream. */
  private readonly ofProbe = new Map<string, ReadonlyMap<string, ChangingStream>>();
  private ask: (request: LayerRequest) => Promise<void> = async () => undefined;

  constructor(participants: readonly Participant[]) {
    for (const participant of participants) {
      const changing = changingStreams(participant);
      if (changing.size > 0) this.ofProbe.set(participant.id, changing);
    }
  }

  /** @param ask rejects where the server does not take it */
  askBy(ask: (request: LayerRequest) => Promise<void>): void {
    this.ask = ask;
  }

  /** From here on what is shown changes, until the signal aborts. Never rejects. */
  async begin({ clock, onFailure, signal }: Asking): Promise<void> {
    const agenda = this.agenda();
    if (agenda.length === 0) return;
    const startMs = clock.nowMs();
    try {
      for (let round = 0; ; round += 1) {
        for (const { fromMs, ask: asked, stream } of agenda) {
          const atMs = startMs + round * turnsMs + fromMs;
          if (atMs > clock.nowMs()) await clock.sleep(atMs - clock.nowMs(), signal);
          signal.throwIfAborted();
          if (stream.since.at(-1)?.ask === asked) continue;
          note(stream, { ms: clock.nowMs(), ask: asked });
          this.ask({ ...stream.request, ask: asked }).catch((error: unknown) => {
            if (!signal.aborted) onFailure(stream.request.leg.id, saidBy(error));
          });
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private agenda(): readonly Due[] {
    const all = [...this.ofProbe.values()].flatMap((streams) => [...streams.values()]);
    const dues = all.flatMap((stream) =>
      (stream.layer.turns ?? []).map(([fromMs, ask]: AskedTurn): Due => ({ fromMs, ask, stream })),
    );
    return dues.sort((one, other) => one.fromMs - other.fromMs);
  }

  /** The sample with what was asked for. */
  marked(sample: Sample): Sample {
    const changing = this.ofProbe.get(sample.probe);
    if (!changing) return sample;
    const streams = sample.streams.map((stream): StreamSample => {
      const found = changing.get(keyOf(stream.leg, stream.stream));
      return found && stream.direction === 'receive' && stream.kind === 'video'
        ? markedIn(stream, sample, found)
        : stream;
    });
    return { ...sample, streams };
  }
}

function changingStreams(participant: Participant): ReadonlyMap<string, ChangingStream> {
  return new Map(
    participant.legs.flatMap((leg) =>
      receivedStreams(leg).flatMap((one) => {
        const [layer, source] = [layerAsked(one), senderOfSource(one.from)];
        if (layer?.turns === undefined || source === undefined) return [];
        const since = [{ ms: Number.NEGATIVE_INFINITY, ask: askAt(layer, 0) }];
        return [[keyOf(leg.id, one.stream), { request: { participant, leg, source }, layer, since }] as const];
      }),
    ),
  );
}

const keyOf = (leg: string, stream: string | undefined): string => `${leg} ${stream ?? ''}`;

function note({ since }: ChangingStream, now: Since): void {
  since.push(now);
  if (since.length > mostKept) since.shift();
}

/**
 * A picture that was not shown in some of the second is away in it, and so it is while the server may still take its
 * time to bring it back.
 */
function markedIn(
  stream: ReceiveStreamSample,
  { atMs, intervalMs }: Sample,
  { since }: ChangingStream,
): ReceiveStreamSample {
  const nth = Math.max(
    0,
    since.findLastIndex(({ ms }) => ms <= atMs),
  );
  const { ask, ms } = since[nth] ?? { ask: 'none', ms: atMs };
  const shownFrom = ask === 'none' ? undefined : shownSince(since, nth);
  const isHidden = shownFrom === undefined || atMs - intervalMs < shownFrom + switchMostMs;
  const forMs = Math.min(longestMs, Math.round(atMs - ms));
  return { ...stream, asked: { layer: ask, forMs }, ...(isHidden ? { away: true } : {}) };
}

/** JSON has no word for ever. */
const longestMs = 1e9;

/** Since when it is shown, in whichever layer. */
function shownSince(since: readonly Since[], nth: number): number {
  const hidden = since.slice(0, nth).findLastIndex(({ ask }) => ask === 'none');
  return since[hidden + 1]?.ms ?? Number.NEGATIVE_INFINITY;
}
