import type { HeadroomLevel } from './headroom.js';
import type { ProbeHostId } from './probe-host.js';
import type { Direction, StreamKind } from './scenario.js';
import type { ThresholdId } from './threshold-id.js';

/** `void`: the trial says nothing about the server. It never moves the search. */
export type VerdictKind = 'stable' | 'unstable' | 'void';

/** Why a trial is unstable: something a participant noticed. */
export type UnstableCode =
  | 'join-failed'
  | 'join-late'
  | 'storm-lasting'
  | 'queue-growing'
  | 'disconnected'
  | 'no-media'
  | 'first-frame-late'
  | 'low-bitrate'
  | 'low-frame-rate'
  | 'video-loss'
  | 'video-loss-burst'
  | 'audio-loss'
  | 'jitter'
  | 'round-trip'
  | 'round-trip-peaks'
  | 'frozen'
  | 'audio-quality'
  | 'narrow-picture'
  | 'jitter-buffer'
  | 'silent-sound'
  /** Pictures of another sender than the one whose stream it is. */
  | 'wrong-picture'
  /** The same picture again and again, although frames come. */
  | 'still-picture'
  /** One colour, which no camera gives. */
  | 'blank-picture'
  /** A mixed picture lacks one of its members. */
  | 'missing-person'
  /** Pictures of another layer than the one that was asked for. */
  | 'wrong-layer'
  /** The layer that was asked for came late. */
  | 'slow-switch'
  /** Pictures became of another layer, and nobody had asked. */
  | 'unasked-switch'
  | 'wrong-sound'
  | 'late-picture'
  | 'late-sound'
  /** It is later and later: something queues. */
  | 'delay-growing'
  /** Who asked was answered late, not at all, or was spoken into. */
  | 'late-answer'
  | 'unanswered'
  | 'spoken-into'
  /** Messages on a data channel that did not come, or came late. */
  | 'data-loss'
  | 'late-data'
  | 'seated-gaps'
  | 'stutter'
  | 'sound-gap'
  /** A limit of the plan's own, with no name among these. */
  | 'threshold'
  | 'bad-probes'
  | 'recording'
  | 'presenter-starved'
  | 'server-lost'
  /** It sent more than is read or kept of one. */
  | 'server-excess'
  /** A TURN server that belongs to what is measured went away. */
  | 'turn-lost'
  /** What the server said was wrong, beside what participants noticed. */
  | 'server-error'
  /** What the server counted as dropped for want of up-link, beside what participants noticed. */
  | 'server-drops';

/** Why a trial says nothing: something on the probe side, or around it. */
export type VoidCode =
  | 'probe-cpu'
  /** Participants were begun, or answers read, later than the schedule says. */
  | 'generator-late'
  | 'encoder-cpu-limited'
  | 'page-timer-late'
  /** The probe host played sound late, and made up what was missing. */
  | 'playout-late'
  | 'camera-short'
  /** An encoded probe whose small camera's frames went out as they were, or twice. */
  | 'frames-not-replaced'
  | 'samples-missing'
  | 'browser-crashed'
  /** A browser did not come up, begun twice. */
  | 'browser-start'
  /** A probe host went away. */
  | 'host-lost'
  | 'page-crashed'
  /** Of all that the server offers there is nothing that this kind of probe connects to; a browser may. */
  | 'candidates-unusable'
  | 'probe-host-memory'
  /** The probe host's own link was full. */
  | 'probe-host-link'
  /** Sockets of probes without a browser were full. */
  | 'probe-socket-drops'
  /** A process of such probes read late. */
  | 'probe-late'
  /** They and the browsers among them did not see the same. */
  | 'kinds-disagree'
  /** One session alone: the media server does to its media what no load does. */
  | 'media-changed'
  /** A probe that was to be relayed was not. */
  | 'not-relayed'
  /** The TURN server that this run had started went away. */
  | 'turn-lost'
  | 'environment'
  /** Joining failed at a pace that the plan does not ask for. */
  | 'hurried'
  | 'interrupted';

export interface StreamRef {
  readonly leg: string;
  readonly direction: Direction;
  readonly kind: StreamKind;
  /** Which of the leg's streams of this kind; absent: it has one only. */
  readonly stream?: string;
}

/** One reason of a verdict. `text` is a whole sentence that stands alone in a report. */
export interface Reason {
  readonly code: UnstableCode | VoidCode;
  readonly text: string;
  readonly probe?: string;
  /** That of the probe, or the one that the reason is about; absent where no host was named. */
  readonly host?: ProbeHostId;
  readonly session?: string;
  readonly stream?: StreamRef;
  readonly measured?: number;
  readonly limit?: number;
  readonly unit?: string;
}

/** What was measured, how much of that the link explains, and up to what by chance. */
export interface OfLink {
  readonly measured: number;
  readonly share: number;
  readonly withChance: number;
}

/** How one threshold fared at its worst probe or stream. */
export interface ThresholdResult {
  /** Which threshold it is, in every trial and every version. */
  readonly id: ThresholdId;
  readonly code: UnstableCode;
  /** What it is called, for people alone: "audio loss, mean". */
  readonly label: string;
  /** "≤ 1 %". */
  readonly limitText: string;
  readonly unit: string;
  readonly limit: number;
  readonly comparison: 'at-most' | 'at-least';
  /** The worst value of all probes; null when nothing could be measured, which is never a pass. */
  readonly worst: number | null;
  readonly worstProbe?: string;
  /** Beyond the limit: the most that `worst` may be where padding may hide loss. Whether it held is unknown. */
  readonly upTo?: number;
  readonly passed: boolean;
  /** Of `worst`, where it is counted from what an impaired link explains. */
  readonly ofLink?: OfLink;
  /** What it reached second by second, of a stable trial of a run that steers by it (strategy `ramp`). */
  readonly level?: HeadroomLevel;
}

export interface Verdict {
  readonly kind: VerdictKind;
  /** Empty for `stable`; worst first; one entry per probe, stream and rule that failed. */
  readonly reasons: readonly Reason[];
  readonly thresholds: readonly ThresholdResult[];
  /** Of `stable`: probe-side faults that would have voided a failure. The pass steers and confirms nothing. */
  readonly disturbedBy?: readonly Reason[];
  /** Of `void`: participants noticed something, so without the probe-side fault it would be unstable. */
  readonly discardsFailure?: true;
  /**
   * For `void`, and for a disturbed pass: true when the probe side was exhausted by this size, so that larger ones are
   * hopeless; false when it was an accident that a repeat may not see.
   */
  readonly probesExhausted?: boolean;
}

/** Whether a trial counts: not where it ended early as clearly stable, or passed while the probe side was disturbed. */
export const isConfirming = (trial: { readonly screened?: object; readonly verdict: Verdict }): boolean =>
  !trial.screened && !trial.verdict.disturbedBy;
