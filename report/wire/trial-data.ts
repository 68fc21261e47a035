/** What the report's Node side hands to its page. Types and one list alone, so that both sides may import it. */

/** Curves of one probe that are kept second by second. What is per stream is that of the worst stream of the probe. */
export const curves = [
  { name: 'receivedVideoKbps', label: 'video received', unit: 'kbit/s' },
  { name: 'receivedAudioKbps', label: 'audio received', unit: 'kbit/s' },
  { name: 'sentVideoKbps', label: 'video sent', unit: 'kbit/s' },
  { name: 'fps', label: 'frame rate received', unit: 'fps' },
  { name: 'videoLossPercent', label: 'video lost on the way down, after resending', unit: '%' },
  { name: 'audioLossPercent', label: 'audio lost on the way down', unit: '%' },
  { name: 'upLossPercent', label: 'lost on the way up', unit: '%' },
  { name: 'jitterMs', label: 'jitter', unit: 'ms' },
  { name: 'rttMs', label: 'round trip', unit: 'ms' },
] as const;

export type CurveName = (typeof curves)[number]['name'];

/** Stands for "not measured" in a column. */
export const absentCell = 65_535;
/** Values are stored as whole steps from 0 to this one. */
export const lastCell = 65_000;

/** The rows of a column are probes, its cells are spans of `binMs`, from `startMs` on. */
export interface CurveTable {
  /** Milliseconds from the start of the measured window; below zero while settling. */
  readonly startMs: number;
  readonly binMs: number;
  readonly bins: number;
  /** What one step is worth, for each of `curves`. */
  readonly steps: readonly number[];
}

/** One probe of a trial: what the window came to. Absent is not measured. */
export interface ProbeRow {
  readonly id: string;
  readonly session: string;
  readonly role: string;
  readonly browser: number;
  readonly page: number;
  readonly up: boolean;
  /** Sums over the streams it receives and sends. */
  readonly receivedKbps?: number;
  readonly sentKbps?: number;
  /** What its role received and sent in the baseline. */
  readonly baselineReceivedKbps?: number;
  readonly baselineSentKbps?: number;
  /** Its worst stream's. */
  readonly lossPercent?: number;
  /** Of its streams where most was sent again, and where most was asked for again. */
  readonly resentPercent?: number;
  readonly nacksPerSecond?: number;
  readonly fps?: number;
  readonly joinMs?: number;
  /** From when the last of its sources had started. */
  readonly firstFrameMs?: number;
  /** Why the verdict is not stable for it, and what became of it; sentences. */
  readonly reasons: readonly string[];
  readonly artifacts?: Artifacts;
}

/** What was kept of a failed probe. */
export interface Artifacts {
  /** A data URL. */
  readonly picture?: string;
  readonly texts: readonly { readonly name: string; readonly text: string }[];
}

/** A curve of the machines; `null` is not measured. */
export interface MachineCurve {
  readonly label: string;
  readonly unit: 'cores' | 'MB' | 'datagrams' | 'relays';
  readonly of: 'server' | 'TURN server' | 'probe host';
  /** Seconds from the start of the measured window. */
  readonly atS: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface TrialData {
  readonly index: number;
  readonly size: string;
  readonly verdict: 'stable' | 'unstable' | 'void';
  /** Length of the measured window; absent when nothing was measured. */
  readonly windowS?: number;
  readonly probes: readonly ProbeRow[];
  readonly curves: CurveTable;
  readonly machines: readonly MachineCurve[];
  /** Of all probes together, and of those that the plan allows. */
  readonly limits: { readonly bitratePercentOfBaseline?: number; readonly lossPercent?: number };
  readonly reasons: readonly string[];
  readonly patterns: readonly string[];
  /** What happened, with seconds from the start of the measured window. */
  readonly events: readonly { readonly atS: number; readonly text: string }[];
  /** Sentences on what is missing in the curves. */
  readonly notes: readonly string[];
}
