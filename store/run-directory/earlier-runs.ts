import type { ArrivalsPlan } from '../../model/arrivals.js';
import { videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import type { Plan } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { Manifest, ServerFacts } from '../../model/run.js';
import type { MediaKind } from '../../model/scenario.js';
import type { Sentinels } from '../../model/sentinels.js';
import type { ServerAbilities, ServerNature } from '../../model/server-abilities.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import type { ProbeRecord, TrialEvent, TrialRecord } from '../../model/trial.js';
import type { VisitPlan } from '../../model/visit.js';
import { layout } from './layout.js';

/**
 * Before its first release Loadline stored runs in the words of the one server that it knew. Such runs are read here
 * into the words of today, and nowhere else, and are judged as they were; what was written in today's words passes
 * through untouched. Words that no kept run has are not read: they throw E_RUN.
 */

/** What a server said: its own name for it, and a line for a person. */
interface EarlierEvent {
  readonly type: 'server';
  readonly atMs: number;
  readonly name: string;
  readonly detail: string;
}

interface EarlierReset extends Pick<ResetProof, 'tookMs' | 'rssMb' | 'idleCores'> {
  readonly pipelines: number;
  readonly orphansReleased: number;
}

export function recordOfToday(stored: TrialRecord): TrialRecord {
  const record = withPresenters(withThresholdIds(stored));
  const { events, reset } = record;
  const isOfToday = !events.some(isEarlier) && (reset === undefined || 'how' in reset);
  if (isOfToday) return record;
  return {
    ...record,
    events: events.map((event) => (isEarlier(event) ? eventOfToday(event, record.index) : event)),
    ...(reset ? { reset: resetOfToday(reset) } : {}),
  };
}

/** One sentence for all that is too old. */
function tooOld(trial: number, what: string): LoadlineError {
  return new LoadlineError(
    'E_RUN',
    'This run was stored by a Loadline that was never released, and is not read any more.',
    {
      where: layout.trials,
      why: `trial ${trial} has ${what}`,
      todo: 'run again, or read it with the version that made it',
    },
  );
}

/** Thresholds once had no identity, only a label. In the order of keys in which the judge writes them. */
const thresholdIds: ReadonlyMap<string, ThresholdId> = new Map(
  Object.entries<ThresholdId>({
    'time to join, slowest': { of: 'join', time: 'time', statistic: 'max' },
    'first frame, p95': { of: 'join', time: 'firstFrame', statistic: 'p95' },
    'bitrate, of the baseline': { of: 'stream', aggregate: 'bitrateKbps', comparison: 'at-least', shareOf: 'baseline' },
    'frame rate, of the baseline': {
      of: 'stream',
      aggregate: 'fps',
      kind: 'video',
      comparison: 'at-least',
      shareOf: 'baseline',
    },
    'frame rate, of the expected': {
      of: 'stream',
      aggregate: 'fps',
      kind: 'video',
      comparison: 'at-least',
      shareOf: 'expected',
    },
    'video loss, mean': { of: 'stream', aggregate: 'lossPercent', kind: 'video', comparison: 'at-most' },
    'video loss, worst 5 s': { of: 'stream', aggregate: 'worstLossPercent5s', kind: 'video', comparison: 'at-most' },
    'audio loss, mean': { of: 'stream', aggregate: 'lossPercent', kind: 'audio', comparison: 'at-most' },
    // Of everything that was received; of audio alone it is another threshold.
    'jitter, mean': { of: 'stream', aggregate: 'jitterMs', direction: 'receive', comparison: 'at-most' },
    'time frozen': {
      of: 'stream',
      aggregate: 'frozenPercent',
      kind: 'video',
      direction: 'receive',
      comparison: 'at-most',
    },
    'audio MOS': { of: 'stream', aggregate: 'mos', kind: 'audio', direction: 'receive', comparison: 'at-least' },
    'round trip, mean': { of: 'leg', aggregate: 'rttMs' },
  }),
);

function withThresholdIds(record: TrialRecord): TrialRecord {
  const stored: readonly { readonly id?: ThresholdId }[] = record.verdict.thresholds;
  if (stored.every(({ id }) => id !== undefined)) return record;
  const thresholds = record.verdict.thresholds.map((one) => {
    const id = one.id ?? thresholdIds.get(one.label);
    if (id === undefined) throw tooOld(record.index, `a threshold without identity, "${one.label}"`);
    const { id: _, ...rest } = one;
    return { id, ...rest };
  });
  return { ...record, verdict: { ...record.verdict, thresholds } };
}

/** That somebody presents was once said by the name of the role alone, which only the broadcast had. */
function withPresenters(record: TrialRecord): TrialRecord {
  const isUnmarked = ({ participant }: ProbeRecord) =>
    participant.role === 'presenter' && participant.presents === undefined;
  if (!record.probes.some(isUnmarked)) return record;
  const marked = (probe: ProbeRecord): ProbeRecord =>
    isUnmarked(probe) ? { ...probe, participant: { ...probe.participant, presents: true } } : probe;
  return { ...record, probes: record.probes.map(marked) };
}

function resetOfToday(reset: ResetProof | EarlierReset): ResetProof {
  if (!('pipelines' in reset)) return reset;
  const { pipelines, orphansReleased, ...rest } = reset;
  return { how: 'listed', ...rest, released: orphansReleased, foreign: pipelines };
}

/** A reading counted pipelines, of which each is a session. */
export function readingOfToday(reading: ServerReading): ServerReading {
  if (!('pipelines' in reading)) return reading;
  const { pipelines, ...rest } = reading as ServerReading & { readonly pipelines: number };
  return { ...rest, sessions: pipelines };
}

/** What servers could do before manifests said it; simulated ones had the same mix. */
const abilitiesOfBefore: ServerAbilities = {
  shapes: ['forward', 'mix'],
  mixedFps: 15,
  severalStreams: false,
  records: true,
  tellsResources: true,
  tellsSessions: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: videoCodecs, records: videoCodecs },
};
const naturesOfBefore: Readonly<Record<string, ServerNature>> = { embedded: 'for-trying', simulated: 'simulated' };

export function manifestOfToday(stored: Manifest): Manifest {
  const manifest: Manifest = { ...stored, format: 2, plan: planOfToday(stored.plan) };
  const { server } = manifest;
  if ('nature' in server) return manifest;
  const { canMix: _, ...facts } = server as ServerFacts & { readonly canMix?: boolean };
  const nature = naturesOfBefore[facts.kind] ?? 'product';
  return { ...manifest, server: { ...facts, nature, abilities: abilitiesOfBefore } };
}

/** In format 1 absent fields said who plays and what a size counts. */
interface EarlierPlan {
  readonly visit?: VisitPlan;
  readonly signallingOnly?: boolean;
  readonly sentinels?: number;
  readonly legs?: 'sending';
  readonly encoded?: { readonly fullShare: number };
  readonly native?: { readonly sentinels: Sentinels };
  readonly arrivals?: ArrivalsPlan;
}

function planOfToday(plan: Plan | (Omit<Plan, 'players' | 'load'> & EarlierPlan)): Plan {
  if ('players' in plan) return plan;
  const { visit, signallingOnly, sentinels, legs, encoded, native, arrivals, ...rest } = plan;
  return {
    ...rest,
    players: playersOfToday({ visit, signallingOnly, sentinels, legs, encoded, native }),
    load: arrivals ? { by: 'arrivals', ...arrivals } : { by: 'sessions' },
  };
}

function playersOfToday(plan: { readonly [Key in keyof EarlierPlan]?: EarlierPlan[Key] | undefined }): Players {
  const { visit, signallingOnly, sentinels = 0, legs = 'all', encoded, native } = plan;
  if (visit) return { kind: 'visiting', ...visit };
  if (signallingOnly) return { kind: 'signalling', sentinels, legs };
  if (native) return { kind: 'native', sentinels: native.sentinels };
  return encoded ? { kind: 'encoded', fullShare: encoded.fullShare } : { kind: 'full' };
}

function isEarlier(event: object): event is EarlierEvent {
  return 'type' in event && event.type === 'server' && !('kind' in event);
}

function eventOfToday({ atMs, name, detail }: EarlierEvent, trial: number): TrialEvent {
  const said: ServerEvent | undefined =
    name === 'reset'
      ? { kind: 'other', atMs, name, detail }
      : name === 'lost'
        ? { kind: name, atMs, detail }
        : ofLeg(name, atMs, detail);
  if (said === undefined) throw tooOld(trial, `an event "${name}"`);
  return { type: 'server', ...said };
}

function ofLeg(name: string, atMs: number, text: string): ServerEvent | undefined {
  const [, leg, kind, now, last = ''] = /^(.+): (?:(AUDIO|VIDEO) |(\w+) after )(\w+)$/.exec(text) ?? [];
  if (leg === undefined) return undefined;
  if (name === 'ConnectionStateChanged' && now !== undefined)
    return { kind: 'connection', atMs, leg, state: now.toLowerCase(), was: last.toLowerCase() };
  if (kind === undefined) return undefined;
  const media: MediaKind = kind === 'AUDIO' ? 'audio' : 'video';
  switch (name) {
    case 'MediaTranscodingStateChanged':
      return { kind: 'transcoding', atMs, leg, media, begun: last === 'TRANSCODING' };
    case 'MediaFlowOutStateChanged':
      return { kind: 'flow', atMs, leg, from: 'participant', media, flows: last === 'FLOWING' };
    case 'MediaFlowInStateChanged':
      return { kind: 'flow', atMs, leg, from: 'server', media, flows: last === 'FLOWING' };
    default:
      return undefined;
  }
}
