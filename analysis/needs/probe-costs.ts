import type { Calibration, KindCalibration, KindCalibrations } from '../../model/calibration.js';
import { eachKind, type ProbeCost, type ProbeKind, probeKinds } from '../../model/probe-kinds.js';
import { type Leg, type Participant, receivesMix, sourcesOf } from '../../model/scenario.js';

export interface ProbeCosts extends Readonly<Record<ProbeKind, ProbeCost>> {
  /** Of the embedded server and its mixers on the same host, for each who is mixed, beside what it takes to pass on. */
  readonly mixerCoresPerProbe: number;
  /** The same where sound alone is mixed. */
  readonly soundMixerCoresPerProbe: number;
}

/** Of mixers by `docs/lab/density.md`: a room of 4 mixed 0.39 of a core, its four voices 0.13 of that. */
export const statedCosts: ProbeCosts = {
  mixerCoresPerProbe: 0.1,
  soundMixerCoresPerProbe: 0.03,
  ...eachKind((kind): ProbeCost => probeKinds[kind].cost),
};

/** What is known of a host by which its probes are costed. */
export interface CostedHost {
  readonly cores?: number;
  readonly calibrated?: KindCalibrations &
    Partial<Pick<Calibration, 'host'>> & {
      /** With pages of the app that is visited, for which all kinds stand. */
      readonly visits?: boolean;
    };
}

/** As measured on this host, else as stated. */
export function costsOn({ cores, calibrated }: CostedHost): ProbeCosts {
  if (!calibrated) return statedCosts;
  // All the cores that there were then: a quota of today takes none of what a probe costs.
  const then = calibrated.host?.cores ?? cores;
  return {
    ...statedCosts,
    ...eachKind((kind) => (probeKinds[kind].browser ? measuredCost : measuredStream)(calibrated[kind], then)),
  };
}

/** Where not even the fewest were carried, as many take more than the host has, whatever could be read of them. */
function coresAtLeast({ carries, tooMany = 2, coresPerProbe }: KindCalibration, cores = 0): number {
  return carries > 0 ? coresPerProbe : Math.max(coresPerProbe, cores / Math.max(1, tooMany - 1));
}

/** A host carries fewer probes than its cores divided by what one uses: so many as it was seen to carry share them. */
function measuredCost(calibrated: KindCalibration, cores: number | undefined): ProbeCost {
  const { carries, mbPerProbe } = calibrated;
  const shareOfHost = cores === undefined || carries === 0 ? coresAtLeast(calibrated, cores) : cores / carries;
  return { coresPerProbe: shareOfHost, serverCoresPerProbe: 0, probeMb: mbPerProbe, browserMb: 0 };
}

/** Cost of one inbound stream of the embedded server, in outbound streams. */
export const inboundStreamCost = 3;
/** A probe in a call sends one stream and receives one. The server's share is in outbound streams. */
const streamsInCall = { own: 2, server: inboundStreamCost + 1 } as const;

/**
 * Of one way, with the server's share apart, because the two are not in the same proportion in every scenario. Where a
 * number was too many, those that were carried share all of the host; where none was, nothing is known of where it ends
 * but what they took.
 */
function measuredStream(calibrated: KindCalibration, cores: number | undefined): ProbeCost {
  const { carries, tooMany, mbPerProbe, serverCores } = calibrated;
  const coresPerProbe = coresAtLeast(calibrated, cores);
  const serverPerProbe = serverCores / Math.max(1, carries || (tooMany ?? 1));
  const together = coresPerProbe + serverPerProbe;
  const isFull = cores !== undefined && tooMany !== undefined && carries > 0 && together > 0;
  const share = isFull ? Math.max(1, cores / carries / together) : 1;
  return {
    coresPerProbe: (share * coresPerProbe) / streamsInCall.own,
    serverCoresPerProbe: (share * serverPerProbe) / streamsInCall.server,
    probeMb: mbPerProbe,
    browserMb: 0,
  };
}

/** How far the CPU of the host that plays the probes reaches: an estimate, never a promise. */
export interface CpuFit {
  readonly cores: number;
  /** By `loadline calibrate` on this host, or by figures of other hosts. */
  readonly by: 'calibration' | 'stated figures';
  /** The largest size, up to the plan's largest, at which the probes are expected to have CPU enough; 0 when none. */
  readonly fitting: number;
  /** The same with encoded probes; absent where that is asked already, cannot be, or brings nothing. */
  readonly fittingEncoded?: number;
  /** Of that size, or of one where none fits: how many probes are browsers, of how many, and the cores they take. */
  readonly browsers: { readonly size: number; readonly count: number; readonly of: number; readonly cores: number };
  /** Of the kinds that the plan asks for. */
  readonly costs: readonly { readonly kind: ProbeKind; readonly cost: ProbeCost }[];
  /** False: it is there already, and if it shares this host, its share is not in the estimate. */
  readonly countsServer: boolean;
  /** What the server is stated to take for each who is mixed; absent where nobody is, or it runs elsewhere. */
  readonly mixerCoresPerProbe?: number;
  /** Where the server is held to less CPU than the host has: how much, and up to which size that is expected to do. */
  readonly server?: { readonly cores: number; readonly fitting: number };
  /** What the server may send. It may be full before any CPU is; at which size, is not estimated. */
  readonly egressLimitBps?: number;
}

/**
 * Of a probe in a call, which sends one stream and receives one. Receiving is a third of it: 100 encoded viewers took
 * 1.4 cores, 0.014 each, where encoded probes in calls take 0.042 (`docs/lab/density.md`).
 */
export function workOf({ legs }: Participant, soundShare: number): number {
  const workOn = (leg: Leg): number => {
    const { sends, receives } = leg;
    const received = receives.length > 0 ? Math.max(1, sourcesOf(leg).length) : 0;
    const work = (sends.length > 0 ? 2 : 0) + received;
    return [...sends, ...receives].includes('video') ? work : work * soundShare;
  };
  return legs.reduce((sum, leg) => sum + workOn(leg), 0) / 3;
}

/** Server cost of mixing all members into a picture and a sound, or a sound alone; 0 where nothing is mixed. */
export function mixCost(
  { legs }: Participant,
  { mixerCoresPerProbe, soundMixerCoresPerProbe }: Pick<ProbeCosts, 'mixerCoresPerProbe' | 'soundMixerCoresPerProbe'>,
): number {
  const mixed = legs.filter(receivesMix);
  if (mixed.length === 0) return 0;
  return mixed.some(({ receives }) => receives.includes('video')) ? mixerCoresPerProbe : soundMixerCoresPerProbe;
}
