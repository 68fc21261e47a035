import type { ArrivalsPlan } from '../../model/arrivals.js';
import { videoCodecs } from '../../model/codec.js';
import type { ServerReading } from '../../model/evidence.js';
import type { Sentinels } from '../../model/native-probes.js';
import type { Plan } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { Manifest, ServerFacts } from '../../model/run.js';
import type { MediaKind } from '../../model/scenario.js';
import type { ServerAbilities, ServerNature } from '../../model/server-abilities.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { ProbeRecord, TrialEvent, TrialRecord } from '../../model/trial.js';
import type { VisitPlan } from '../../model/visit.js';
import { withThresholdIds } from './earlier-thresholds.js';

/**
 * Runs of Loadline 0.1 were written in the words of the one server that it knew. They are read here into those of today,
 * and nowhere else; what was written in today's words passes through untouched. Such runs are judged as they were.
 */

/** As 0.1 wrote what a server said: its own name for it, and a line for a person. */
interface EarlierEvent {
  readonly type: 'server';
  readonly atMs: number;
  readonly name: string;
  readonly detail: string;
}

interface EarlierReset extends Pick<ResetProof, 'tookMs' | 'rssMb' | 'idleCores' | 'restartMs'> {
  readonly pipelines: number;
  readonly orphansReleased: number;
}

export function recordOfToday(stored: TrialRecord): TrialRecord {
  const record = withPresenters(withThresholdIds(stored));
  const { events, reset } = record;
  const isOfToday = !events.some(isEarlier) && (reset === undefined || 'how' in reset);
  if (isOfToday) return record;
  return { ...record, events: events.map(eventOfToday), ...(reset ? { reset: resetOfToday(reset) } : {}) };
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

export function resetOfToday(reset: ResetProof | EarlierReset): ResetProof {
  if (!('pipelines' in reset)) return reset;
  const { pipelines, orphansReleased, ...rest } = reset;
  const how = rest.restartMs === undefined ? 'listed' : 'restarted';
  return { how, ...rest, released: orphansReleased, foreign: pipelines };
}

/** A reading counted pipelines, of which each is a session. */
export function readingOfToday(reading: ServerReading): ServerReading {
  if (!('pipelines' in reading)) return reading;
  const { pipelines, ...rest } = reading as ServerReading & { readonly pipelines: number };
  return { ...rest, sessions: pipelines };
}

/** What the servers of 0.1 could do; those that it simulated had the same mix. */
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

export function eventOfToday(event: TrialEvent | EarlierEvent): TrialEvent {
  return isEarlier(event) ? { type: 'server', ...said(event) } : event;
}

function said({ atMs, name, detail }: EarlierEvent): ServerEvent {
  switch (name) {
    case 'lost':
    case 'reconnected':
      return { kind: name, atMs, detail };
    case 'session-lost':
      return { kind: 'sessions-lost', atMs, detail };
    case 'orphans-released':
      return { kind: 'orphans-released', atMs, sessions: Number.parseInt(detail, 10) };
    case 'foreign-pipelines':
      return { kind: 'foreign-sessions', atMs, sessions: Number.parseInt(detail, 10) };
    case 'Error':
      return failed(atMs, detail);
    default:
      return ofLeg(name, atMs, detail) ?? { kind: 'other', atMs, name, detail };
  }
}

function failed(atMs: number, text: string): ServerEvent {
  const [, session, ofSession = ''] = /^session (\S+): ([\s\S]*)$/.exec(text) ?? [];
  if (session !== undefined) return { kind: 'failed', atMs, of: 'session', session, detail: ofSession };
  const [, recorded, participant, ofFile = ''] = /^(\S+): recording of (\S+): ([\s\S]*)$/.exec(text) ?? [];
  if (recorded !== undefined && participant !== undefined)
    return { kind: 'failed', atMs, of: 'recording', leg: recorded, participant, detail: ofFile };
  const [, leg, ofLegItself = ''] = /^(\S+): ([\s\S]*)$/.exec(text) ?? [];
  if (leg !== undefined) return { kind: 'failed', atMs, of: 'leg', leg, detail: ofLegItself };
  return { kind: 'failed', atMs, of: 'server', detail: text };
}

function ofLeg(name: string, atMs: number, text: string): ServerEvent | undefined {
  const [, leg, rest = ''] = /^(\S+): ([\s\S]*)$/.exec(text) ?? [];
  if (leg === undefined) return undefined;
  if (name === 'ConnectionStateChanged') {
    const [, state, was] = /^(\w+) after (\w+)$/.exec(rest.toLowerCase()) ?? [];
    return state === undefined || was === undefined ? undefined : { kind: 'connection', atMs, leg, state, was };
  }
  const [, kind, state] = /^(?:(AUDIO|VIDEO) )?(\w+)$/.exec(rest) ?? [];
  const media = kind?.toLowerCase() as MediaKind | undefined;
  if (name === 'MediaTranscodingStateChanged' && state !== undefined) {
    return { kind: 'transcoding', atMs, leg, ...(media ? { media } : {}), begun: state === 'TRANSCODING' };
  }
  const flow = /^MediaFlow(In|Out)StateChanged$/.exec(name)?.[1];
  if (flow === undefined || media === undefined || state === undefined) return undefined;
  return {
    kind: 'flow',
    atMs,
    leg,
    from: flow === 'Out' ? 'participant' : 'server',
    media,
    flows: state === 'FLOWING',
  };
}
