/** What the report's Node side hands to its page. Types and two lists alone, so that both sides may import it. */

/**
 * Curves that are kept second by second, of each probe: sums of its bitrates, and its worst stream. Where several
 * streams of a kind come over one connection, each of them has the curves that are `of` its kind to itself.
 */
export const curves = [
  { name: 'receivedVideoKbps', label: 'video received', unit: 'kbit/s', of: 'video' },
  { name: 'receivedAudioKbps', label: 'audio received', unit: 'kbit/s', of: 'audio' },
  { name: 'sentVideoKbps', label: 'video sent', unit: 'kbit/s', of: 'probe' },
  { name: 'fps', label: 'frame rate received', unit: 'fps', of: 'video' },
  { name: 'videoLossPercent', label: 'video lost on the way down, after resending', unit: '%', of: 'video' },
  { name: 'audioLossPercent', label: 'audio lost on the way down', unit: '%', of: 'audio' },
  { name: 'upLossPercent', label: 'lost on the way up', unit: '%', of: 'probe' },
  { name: 'jitterMs', label: 'jitter', unit: 'ms', of: 'stream' },
  { name: 'rttMs', label: 'round trip', unit: 'ms', of: 'probe' },
  { name: 'delayMs', label: 'one-way delay', unit: 'ms', of: 'video' },
] as const;

export type CurveName = (typeof curves)[number]['name'];

/** Stands for "not measured" in a column. */
export const absentCell = 65_535;
/** Values are stored as whole steps from 0 to this one. */
export const lastCell = 65_000;

/** Rows of a column: probes, then streams with rows of their own; cells are spans of `binMs` from `startMs`. */
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
  /** Absent where all probes run on one host. */
  readonly host?: string;
  readonly browser: number;
  readonly page: number;
  readonly up: boolean;
  /** Sums over the streams it receives and sends, but for those that have a row of their own. */
  readonly receivedKbps?: number;
  readonly sentKbps?: number;
  /** What its role received and sent in the baseline. */
  readonly baselineReceivedKbps?: number;
  readonly baselineSentKbps?: number;
  /** Its worst stream's of sound or pictures, which it may have sent. */
  readonly lossPercent?: number;
  /** Of its streams where most was sent again, and where most was asked for again. */
  readonly resentPercent?: number;
  readonly nacksPerSecond?: number;
  readonly fps?: number;
  /** Which layers of video it asked for, and how wide the pictures were: "high (960 px): 480 px". */
  readonly layer?: string;
  readonly joinMs?: number;
  /** From when the last of its sources had started. */
  readonly firstFrameMs?: number;
  /** Why the verdict is not stable for it, and what became of it; sentences. */
  readonly reasons: readonly string[];
  readonly artifacts?: Artifacts;
}

/** One of several streams of a kind that a probe receives over one connection. Absent is not measured. */
export interface StreamRow
  extends Pick<
    ProbeRow,
    'receivedKbps' | 'baselineReceivedKbps' | 'lossPercent' | 'resentPercent' | 'nacksPerSecond' | 'fps' | 'layer'
  > {
  /** Its place among the probes. */
  readonly probe: number;
  readonly kind: 'audio' | 'video';
  /** "video from 2b". */
  readonly name: string;
  /** Those of the probe's reasons that are about it, and those that are about none of the probe's streams. */
  readonly reasons: readonly string[];
}

/** What was kept of a probe that failed, or that compared pictures. */
export interface Artifacts {
  /** A data URL. */
  readonly picture?: string;
  readonly texts: readonly { readonly name: string; readonly text: string }[];
}

export const layerMeasures = ['kbps', 'fps', 'width'] as const;

/** The mean of all received videos while this layer was asked for, in the cells of the other curves; `null` is none. */
export interface LayerCurve {
  readonly of: (typeof layerMeasures)[number];
  readonly layer: 'low' | 'middle' | 'high';
  readonly values: readonly (number | null)[];
}

/** A curve of the machines; `null` is not measured. */
export interface MachineCurve {
  readonly label: string;
  readonly unit: 'cores' | 'MB' | '%' | 'kbit/s' | 'ms' | 'datagrams' | 'relays' | '';
  readonly of: 'server' | 'TURN server' | 'probe host';
  /** Which of several probe hosts. */
  readonly host?: string;
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
  /** In the order of their rows in the curves. */
  readonly streams: readonly StreamRow[];
  readonly curves: CurveTable;
  readonly layers: readonly LayerCurve[];
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
