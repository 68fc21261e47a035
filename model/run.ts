import type { z } from 'zod';
import type { Background, Drift, Noticed, WideEdge } from './answer-parts.js';
import type { HeadroomLevel } from './headroom.js';
import type { NetworkFacts } from './network-record.js';
import type { Plan } from './plan.js';
import type { ProbeHostId } from './probe-host.js';
import type { ProbeKind } from './probe-kinds.js';
import type { outcomeSchema } from './result-schema.js';
import type { ScenarioUnit } from './scenario.js';
import type { MissingAbility, ServerAbilities, ServerNature } from './server-abilities.js';
import type { Margin, TrialCost } from './trial-cost.js';
import type { TurnFacts } from './turn.js';
import type { Used } from './used.js';
import type { VerdictKind } from './verdict.js';
import type { WarmUp } from './warm-up.js';

export type Outcome = z.infer<typeof outcomeSchema>;

/** Whether it names no limit: its sizes are what was seen, and not what the server holds. */
export function namesNoLimit(outcome: Outcome): boolean {
  return outcome === 'void' || outcome === 'drifting' || outcome === 'server-lost' || outcome === 'never-connected';
}

/** The limit that was found to hold; `undefined` where none is named, or not even the smallest size held. */
export function heldLimit({ outcome, stable }: Pick<Answer, 'outcome' | 'stable'>): number | undefined {
  return namesNoLimit(outcome) || stable === 0 ? undefined : stable;
}

/** What the search says at its end. */
export interface Answer {
  readonly outcome: Outcome;
  /** Largest size that is stable as often as asked; 0 when not even the baseline is. */
  readonly stable: number;
  /** Smallest size that is not; null when none was seen. */
  readonly unstable: number | null;
  /** Sizes that were stable in some trials and unstable in others, ascending. */
  readonly flaky: readonly number[];
  /** Sizes below `stable` that never passed, ascending; absent when there are none. Bad sizes, or bad luck. */
  readonly failedBelow?: readonly number[];
  /** Where the chance to pass falls over several tried sizes; absent where none failed at or below one that passed. */
  readonly edge?: WideEdge;
  /** Sizes that failed right after a failed trial alone, and passed otherwise: an overload lingers. Absent: none. */
  readonly lingers?: readonly number[];
  /** Failures that the search took for none of the size; absent: it met none. */
  readonly background?: Background;
  /** One sentence why the search ended here. */
  readonly because: string;
  /** True when the search was ended before its end: then each side may rest on one trial. */
  readonly cutShort?: true;
  readonly interrupted?: true;
  readonly drift?: Drift;
}

/** The past of a search, as `nextStep` sees it. */
export interface TrialOutcome {
  readonly size: number;
  readonly verdict: VerdictKind;
  /** For void, and for a disturbed pass: the probe side was exhausted by the size itself. */
  readonly probesExhausted?: boolean;
  /** Worst level of all metrics; where it is absent, `ramp` goes on in single steps. */
  readonly headroom?: HeadroomLevel;
  /** Of a failure: a single thing at one probe, near its limit. It is a failure, and weaker evidence than others. */
  readonly faint?: true;
  /** Of a failure, also one that was discarded, in which nobody ever had a connection: the likely cause, a sentence. */
  readonly unreached?: string;
  /** Beside `unreached`: no repeat can change it. */
  readonly wayless?: true;
  /** Of a failure: the media server went away. */
  readonly lost?: true;
  /** The trial's number in its run; absent: its place in the history. */
  readonly trial?: number;
  /** What a stable trial took of the server; what was not read is absent. */
  readonly cost?: TrialCost;
  /** What it took of what there is so much of; absent: nothing was read. */
  readonly used?: readonly Used[];
  /** How much of the way to each limit was gone, over the window. */
  readonly margins?: readonly Margin[];
  /** A stable trial that confirms nothing: it was ended while every value was clearly good, or disturbed. */
  readonly screened?: true;
  /** Of a screened one: a fault of the probe side would have made its failure void. */
  readonly disturbed?: true;
  /** Its window was that of a hold, longer than others. */
  readonly held?: true;
  /** The size was chosen by foresight, which expected this verdict of it. */
  readonly foresees?: 'stable' | 'unstable';
  /** Its participants joined faster than the plan has it. */
  readonly hasty?: true;
  /** Who was there, and of a failure who noticed something; absent: it was not counted, or is of no one of them. */
  readonly noticed?: Noticed;
  /** As the search reads it: a failure that a rate explains which does not rise with the size. */
  readonly background?: true;
}

export type StepReason =
  | 'baseline'
  | 'grow'
  | 'bisect'
  | 'confirm'
  | 'refute'
  | 'repeat-void'
  | 'hold'
  | 'fixed'
  | 'drill'
  | 'anchor';

export type Step =
  | {
      readonly kind: 'try';
      readonly size: number;
      readonly why: StepReason;
      readonly text: string;
      /** Chosen by foresight; absent: by doubling, by halving, or by what is known of the size. */
      readonly foresees?: 'stable' | 'unstable';
      /** The trial only steers: it may end once it is clearly stable. */
      readonly screens?: true;
      /** Its window is so long, and not as long as the plan's. */
      readonly holdMs?: number;
      /** Participants join at the plan's pace, though the run is faster: tells failures from hurried ones. */
      readonly atPlanPace?: true;
    }
  | { readonly kind: 'done'; readonly answer: Answer };

export interface ServerFacts {
  /** That of the registry of kinds; "simulated" for a server that exists in numbers only. */
  readonly kind: string;
  readonly nature: ServerNature;
  /** What it is called in reports, its version with it: "embedded 0.1.0". */
  readonly name: string;
  readonly version: string;
  readonly url: string;
  /** True when it runs on the probe host. */
  readonly sameHost: boolean;
  readonly pid?: number;
  /** Known limits: what the embedded server was given, and what control groups or CPUs give its process (`heldTo`). */
  readonly egressLimitBps?: number;
  readonly cpuLimitCores?: number;
  readonly heldTo?: {
    readonly cores?: number;
    readonly memoryMb?: number;
    /** None of its CPUs are those of the probes on its host. */
    readonly apart?: boolean;
  };
  /** How long it took to be there: to start, for the embedded server, else to connect and find out what is there. */
  readonly startedInMs?: number;
  /** Of a cluster: its servers, in the order of their names; what is above is of all. */
  readonly servers?: readonly MemberFacts[];
  /** What servers of its kind can do. */
  readonly abilities: ServerAbilities;
  /** What this one cannot of that, as it says itself; absent: nothing is known to be missing. */
  readonly missing?: readonly MissingAbility[];
}

/** One server of a cluster. */
export interface MemberFacts
  extends Omit<ServerFacts, 'kind' | 'nature' | 'abilities' | 'missing' | 'servers' | 'startedInMs'> {
  /** What it is called in the cluster: "A". */
  readonly server: string;
}

/** How many probes of one kind alone were too many for a host; absent where none was. */
export type TooManyProbes = { readonly [Kind in ProbeKind]?: number | undefined };

export interface HostFacts {
  readonly cores: number;
  readonly cpuModel: string;
  readonly memoryMb: number;
  readonly kernel: string;
  readonly os: string;
  readonly node: string;
  /** Numbers that `loadline calibrate` found too many for this host beside an embedded server; absent: none. */
  readonly tooManyProbes?: TooManyProbes;
}

/** Written once at the start of a run; with the plan it is complete enough to repeat the run. */
export interface Manifest {
  readonly format: 2;
  readonly loadline: string;
  readonly startedAt: string;
  readonly command: readonly string[];
  /** What the user calls the build or the state that is measured: "v2.3". Absent: nothing. */
  readonly tags?: readonly string[];
  /** What else the user says of it, by key: "region: eu". Absent: nothing. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What the user calls the kind of host that the media server is on: "c5.2xlarge". */
  readonly hostType?: string;
  readonly plan: Plan;
  /** What sizes count, for reports of stored runs; absent: sessions. */
  readonly unit?: ScenarioUnit;
  readonly server: ServerFacts;
  /** Absent when probes reach the server directly. */
  readonly turn?: TurnFacts;
  readonly host: HostFacts;
  readonly chromium: { readonly path: string; readonly version: string };
  /** What shapes the links; absent without impaired networks. */
  readonly networks?: NetworkFacts;
  /** Where copies of its points went, beside its folder; no login is in it. Absent: nowhere. */
  readonly copies?: readonly string[];
  /** How many trials were stored at each resume; absent: it never was resumed. */
  readonly resumedAfter?: readonly number[];
}

/** As an answer has it, but `stable` is null where nothing is known: 0 says that not even the smallest size held. */
export interface ResultLimit
  extends Pick<Answer, 'unstable' | 'flaky' | 'failedBelow' | 'edge' | 'lingers' | 'background'> {
  readonly stable: number | null;
}

/** The document that `--format json` prints. The first nine fields are a contract with scripts. */
export interface RunResult extends Pick<Answer, 'cutShort' | 'interrupted' | 'drift'> {
  readonly scenario: string;
  readonly server: string;
  readonly unit: string;
  readonly limit: ResultLimit;
  /** Null where no size is known. */
  readonly probesAtLimit: number | null;
  readonly outcome: Outcome;
  readonly trials: readonly {
    readonly size: number;
    readonly probes: number;
    readonly verdict: VerdictKind;
    readonly reasons: readonly {
      readonly code: string;
      readonly probe?: string;
      readonly host?: ProbeHostId;
      readonly session?: string;
      readonly text: string;
    }[];
    /** Before it, on a cold server; no part of its verdict. */
    readonly warmUp?: WarmUp;
    /** It ended once it was clearly stable: it steered the search and confirms nothing. */
    readonly screened?: true;
    /** Why a stable trial steered and confirms nothing: probe-side faults that would have voided a failure. */
    readonly disturbedBy?: readonly string[];
  }[];
  readonly runDirectory: string;
  readonly because: string;
  /** What the user said of the run with --label; absent: nothing. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The limit is any size from `stable` to below `unstable`: between them it was not looked closely enough. */
  readonly undecided?: true;
  /** No trial confirms the size that held: each pass of it was disturbed, or ended as clearly stable. */
  readonly unconfirmed?: true;
  /** Minutes of each probe, from when it joined to when the window ended; absent in results of earlier versions. */
  readonly probeMinutes?: number;
  /** What doubling and halving alone would have taken, estimated; absent: nothing was foreseen or screened. */
  readonly plainProbeMinutes?: number;
}
