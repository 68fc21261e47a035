import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import { isSimulated } from '../../model/plan.js';
import { type Manifest, namesNoLimit } from '../../model/run.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import type { ProbeRecord, TrialRecord } from '../../model/trial.js';
import { comparedRun } from '../compare/compare.js';
import { hostTypeOf } from '../compare/host-type.js';
import { clusterOf } from '../measure/cluster-servers.js';
import { confirmingAt } from '../measure/trials-at.js';
import { besideOf, probesMbps } from '../measure/unit-traffic.js';
import { probesAt } from '../search/result.js';
import { highest, median, sum } from '../statistics/statistics.js';

/** Who said how much left the media server: best first. */
export type EgressBasis = 'server' | 'network device' | 'probes';

interface Egress {
  readonly mbpsPerUnit: number;
  /** To those beside, of one session, however many units it has; absent: nothing. */
  readonly mbpsBeside?: number;
  readonly basis: EgressBasis;
}

/** What one stored run says of one kind of host under one scenario. What it does not say is absent. */
export interface MeasuredLimit {
  readonly run: string;
  readonly scenario: string;
  readonly unit: ScenarioUnit;
  readonly hostType: string;
  /** Name and version of what ran on it. */
  readonly server: string;
  /** What it was shown to hold. */
  readonly atLeast: number;
  /** What it may hold at most; null where nothing larger failed. */
  readonly atMost: number | null;
  /** Stable trials of that size that confirm it. */
  readonly passes: number;
  /** Participants of each unit, those beside (the presenter of a broadcast) not among them. */
  readonly participantsPerUnit: number;
  readonly participantsBeside: number;
  readonly connectionsPerUnit?: number;
  /** Of all who are beside together. */
  readonly connectionsBeside?: number;
  /** From the media server to participants, Mbit/s at the limit. */
  readonly egress?: Egress;
  /** From participants to the media server. */
  readonly ingressMbpsPerUnit?: number;
  /** Participants a second who joined in stable trials of that size without a failure. */
  readonly joinsPerSecond?: number;
  /** Its server shared its host with the probes. */
  readonly sharedHost: boolean;
  readonly nature: Manifest['server']['nature'];
}

/** Why a run cannot be built on; a sentence. */
interface NoLimit {
  readonly run: string;
  readonly why: string;
}

/** `named` is what the user calls the kind of host; else it is what the run knows of it. */
export function measuredLimit(run: FinishedRun, named?: string): MeasuredLimit | NoLimit {
  const { manifest, records } = run;
  const { name, outcome, atLeast, below, cutShort } = comparedRun(run);
  if (comeAndGo(manifest.plan.load))
    return {
      run: name,
      why: 'its sizes are how many come in a time, and not how many a host holds at once: name a run without --by.',
    };
  if (clusterOf(manifest) && named === undefined && manifest.hostType === undefined)
    return {
      run: name,
      why: 'it is of a cluster, and a kind of host is asked for: name the whole cluster as one kind of host to count with it.',
    };
  if (namesNoLimit(outcome)) return { run: name, why: `it is ${outcome}: it has no limit.` };
  if (atLeast === 0) return { run: name, why: 'it shows no size that holds every time.' };
  const unit = manifest.unit ?? { one: 'session', many: 'sessions' };
  const atLimit = confirmingAt(records, atLeast);
  const plannedPace = manifest.plan.timing.pacePerSecond;
  return {
    run: name,
    scenario: manifest.plan.scenario,
    unit,
    hostType: named ?? hostTypeOf(manifest),
    server: serverText(manifest),
    atLeast,
    atMost: below === null || cutShort ? null : Math.max(atLeast, below - 1),
    passes: atLimit.length,
    ...participantsOf(unit, probesAt(records, atLeast), atLeast),
    ...trafficOf(atLimit, unit),
    ...given({ joinsPerSecond: highest(atLimit.map((trial) => trial.pacePerSecond ?? plannedPace)) }),
    sharedHost: manifest.server.sameHost,
    nature: manifest.server.nature,
  };
}

/** One that exists in numbers only is what it was told to be, by whatever seed. */
function serverText({ plan, server: { name } }: Manifest): string {
  if (!isSimulated(plan.server)) return name;
  const { kind, seed, ...told } = plan.server;
  return `${name} ${JSON.stringify(told)}`;
}

function participantsOf(unit: ScenarioUnit, probes: number, size: number) {
  if (unit.countsParticipants) return { participantsPerUnit: 1, participantsBeside: probes - size };
  return { participantsPerUnit: probes / size, participantsBeside: 0 };
}

type Traffic = Pick<MeasuredLimit, 'connectionsPerUnit' | 'connectionsBeside' | 'egress' | 'ingressMbpsPerUnit'>;

function trafficOf(trials: readonly TrialRecord[], unit: ScenarioUnit): Traffic {
  const middle = (read: (trial: TrialRecord) => number | undefined) =>
    median(trials.flatMap((trial) => read(trial) ?? []));
  const perUnit = (read: (trial: TrialRecord) => number | undefined) => {
    const total = middle(read);
    return total === undefined ? undefined : total / (trials[0]?.size ?? 1);
  };
  const connections = perUnit((trial) => connectionsOf(trial, unit));
  const connectionsBeside = middle(({ probes, ...trial }) => {
    const beside = besideOf({ probes, ...trial }, unit);
    const own = probes.filter(({ participant }) => beside.has(participant.id));
    return probes.length === 0 ? undefined : sum(own.map(connectionsOfProbe));
  });
  const ingress = perUnit((trial) => probesMbps(trial, 'send', besideOf(trial, unit)));
  const bases: readonly (readonly [EgressBasis, (trial: TrialRecord) => number | undefined])[] = [
    ['server', ({ load }) => load.serverEgressMbpsMean],
    ['network device', ({ load }) => load.serverHostSentMbpsMean],
    ['probes', (trial) => probesMbps(trial, 'receive', new Set())],
  ];
  const egress = bases.flatMap(([basis, read]) => {
    const part = (of: (share: number) => number) => (trial: TrialRecord) => {
      const [total, share] = [read(trial), shareBeside(trial, unit)];
      return total === undefined || share === undefined ? undefined : total * of(share);
    };
    const mbpsPerUnit = perUnit(part((share) => 1 - share));
    const mbpsBeside = middle(part((share) => share));
    return mbpsPerUnit === undefined ? [] : [{ mbpsPerUnit, basis, ...(mbpsBeside ? { mbpsBeside } : {}) }];
  })[0];
  return {
    ...given({ connectionsPerUnit: connections, connectionsBeside, egress, ingressMbpsPerUnit: ingress }),
  };
}

/** Of all that probes received, what those beside did; undefined where they received and nothing tells how much. */
function shareBeside(trial: TrialRecord, unit: ScenarioUnit): number | undefined {
  const beside = besideOf(trial, unit);
  if (!trial.streams.some(({ direction, probe }) => direction === 'receive' && beside.has(probe))) return 0;
  const all = probesMbps(trial, 'receive', new Set());
  const others = probesMbps(trial, 'receive', beside);
  return all === undefined || others === undefined || all === 0 ? undefined : 1 - others / all;
}

function connectionsOf(trial: TrialRecord, unit: ScenarioUnit): number | undefined {
  const beside = besideOf(trial, unit);
  const own = trial.probes.filter(({ participant }) => !beside.has(participant.id));
  return own.length === 0 ? undefined : sum(own.map(connectionsOfProbe));
}

/** A page of a web app has one leg, and may have several connections, each with a route. */
const connectionsOfProbe = ({ participant: { legs }, routes = [] }: ProbeRecord): number =>
  Math.max(legs.length, routes.length);
