import { speechOf } from '../../model/expected-streams.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import { comeAndGo } from '../../model/load.js';
import type { StreamMetric } from '../../model/metric.js';
import type { MediaKind } from '../../model/scenario.js';
import type { MediaChange, Voice } from '../../model/stimulus.js';
import type { MeasuredStream } from '../measure/measured-stream.js';
import type { MetricSums } from '../measure/metric-sums.js';
import type { MeasuredWindow } from '../measure/window.js';
import { numberNear } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import { type ProbeFault, spoilsLoad } from './probe-fault.js';

/** All chosen (docs/reference/measuring.md, "What goes in and what comes out"). */
const limits = {
  /** More than this for one is not a queue that drains. */
  multiplied: 1.2,
  thinned: 0.8,
  /** Share of the sound, or of the pictures, that could not be played. */
  undecoded: 0.25,
  /** A lost packet costs its sound, and what the decoder makes up around it. */
  perLost: 3,
  lateJitterMs: 30,
  /** Sound that was played for less of the time was not asked for: the receiver lacks CPU. */
  playedShare: 0.9,
  leastMs: 2000,
  /** One side alone may have counted these of a sender who pauses: seconds of both sides begin at different moments. */
  packetsAtTheEnds: 60,
} as const;

const samplesPerMs = 48;

const words: Readonly<Record<MediaKind, { readonly one: string; readonly many: string }>> = {
  audio: { one: 'packet of sound', many: 'packets of sound' },
  video: { one: 'picture', many: 'pictures' },
};

/** What one stream was on both sides of the server, per second. */
interface InAndOut {
  readonly kind: MediaKind;
  readonly probe: string;
  readonly from: string;
  readonly sent: number;
  readonly received: number;
  /** Both may differ by so much a second, because they were not counted at one moment. */
  readonly apart: number;
  readonly out: MetricSums;
}

/**
 * What the server did to the media of streams with one source, besides losing and delaying it. Compared is what went in
 * with what came out over the same time: packets of sound, and pictures. What a mixer makes has no one source. What is
 * not known is no finding.
 */
export function mediaChanges({ streams }: MeasuredWindow): readonly MediaChange[] {
  const sent = groupedBy(
    streams.filter(({ expected }) => expected.direction === 'send'),
    ({ expected: { kind, participant } }) => `${kind} ${participant.id}`,
  );
  return streams.flatMap((stream) => {
    const pair = inAndOut(stream, sent);
    return pair ? changesOf(pair) : [];
  });
}

/** Whether the server may reject the stimulus itself: sound that is not as Chromium's encoder makes it. */
export function isOfVoice({ kind }: MediaChange): boolean {
  return kind === 'audio';
}

/**
 * A baseline in which the server multiplied media, or gave out what nobody can play: no load does that. One that lost
 * media, late or in time, is judged as ever; but with the light voice whatever happened to sound may be the voice's own
 * doing.
 */
export function changedMedia(input: JudgeInput, measured: MeasuredWindow): ProbeFault[] {
  if (input.baseline !== null || comeAndGo(input.load)) return [];
  const saysNothing = (change: MediaChange) =>
    change.change !== 'thinned' || (input.voice === 'light' && isOfVoice(change));
  return mediaChanges(measured)
    .filter(saysNothing)
    .map(({ text, probe }) => {
      const session = input.probes.find(({ participant }) => participant.id === probe)?.participant.session;
      return spoilsLoad({ code: 'media-changed', probe, ...given({ session }), text });
    });
}

export function voiceWords(voice: Voice, changes: readonly MediaChange[]): string {
  const seen = changes.find(isOfVoice)?.text ?? 'With it no sound arrived.';
  return `Probes gave up the ${voice} voice, and send the packets of Chromium's own encoder from here on. ${seen}`;
}

function inAndOut(
  { expected, sums: out }: MeasuredStream,
  sentBy: ReadonlyMap<string, readonly MeasuredStream[]>,
): InAndOut | undefined {
  const { direction, kind, from, participant } = expected;
  if (direction !== 'receive' || kind === 'data' || !out || from === undefined || 'mix' in from) return undefined;
  const [only, ...others] = sentBy.get(`${kind} ${from.participant}`) ?? [];
  if (!only?.sums || others.length > 0) return undefined;
  const [sent, received] =
    kind === 'audio'
      ? [perSecond(only.sums, 'packetsSent', 'packetsResent'), perSecond(out, 'packetsReceived')]
      : [perSecond(only.sums, 'framesSent'), perSecond(out, 'framesReceived')];
  if (sent === undefined || received === undefined || sent <= 0) return undefined;
  const pauses = speechOf(expected) !== undefined;
  const apart = pauses ? (1000 * limits.packetsAtTheEnds) / out.countedMs('packetsReceived') : 0;
  return { kind, probe: participant.id, from: from.participant, sent, received, apart, out };
}

function perSecond(sums: MetricSums, name: StreamMetric, less?: StreamMetric): number | undefined {
  if (sums.count(name) === 0 || sums.countedMs(name) < limits.leastMs) return undefined;
  const all = sums.perSecond(name);
  return all === undefined || less === undefined ? all : all - (sums.perSecond(less) ?? 0);
}

function changesOf(pair: InAndOut): MediaChange[] {
  const { kind, probe, from, sent, received, apart, out } = pair;
  const { one, many } = words[kind];
  const place = { kind, probe, from };
  const rates = `${probe} received ${numberNear(received)} a second of ${numberNear(sent)} sent`;
  const ratio = received / sent;
  if (received > limits.multiplied * sent + apart) {
    const discarded = perSecond(out, 'packetsDiscarded') ?? 0;
    const thrown = discarded > 1 ? `, and discarded ${numberNear(discarded)}` : '';
    const text = `Of each ${one} from ${from} the media server makes ${numberNear(ratio)}: ${rates}${thrown}.`;
    return [{ change: 'multiplied', ...place, text }];
  }
  const lost = lostShare(out);
  if (received + apart < (limits.thinned - lost) * sent) {
    const text = `The media server hands on ${numberNear(100 * ratio)} % of the ${many} from ${from}, without a gap in their numbers: ${rates}.`;
    return [{ change: 'thinned', ...place, text }];
  }
  const missing = kind === 'audio' ? unplayedSound(out) : undecodedPictures(out);
  if (missing === undefined || missing <= limits.undecoded + limits.perLost * lost) return [];
  const what = kind === 'audio' ? 'samples of the sound' : 'pictures';
  const text = `${numberNear(100 * missing)} % of the ${what} from ${from} are missing at ${probe}, though their packets came whole and in time.`;
  return [{ change: 'undecoded', ...place, text }];
}

function lostShare(out: MetricSums): number {
  const [lost, received] = [out.total('packetsLost') ?? 0, out.total('packetsReceived') ?? 0];
  return lost <= 0 ? 0 : lost / (lost + received);
}

/** Share of what was played that had to be made up, where nothing came late; where nothing at all was played, all. */
function unplayedSound(out: MetricSums): number | undefined {
  const [played, concealed, received] = [
    out.total('totalSamples'),
    out.total('concealedSamples'),
    out.total('packetsReceived'),
  ];
  if (played === undefined || concealed === undefined || !received) return undefined;
  const late = (out.total('packetsDiscarded') ?? 0) / received;
  if ((out.mean('jitterMs') ?? 0) > limits.lateJitterMs) return undefined;
  if (played === 0) return 1 - late;
  if (played < limits.playedShare * samplesPerMs * out.countedMs('totalSamples')) return undefined;
  return concealed / played - late;
}

/** Share of whole pictures that no decoder took, apart from those that were dropped. */
function undecodedPictures(out: MetricSums): number | undefined {
  const [received, decoded] = [out.total('framesReceived'), out.total('framesDecoded')];
  if (!received || decoded === undefined) return undefined;
  return 1 - (decoded + (out.total('framesDropped') ?? 0)) / received;
}
