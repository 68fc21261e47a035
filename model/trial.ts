import type { Aggregates } from './aggregate.js';
import type { AppValue } from './app-value.js';
import type { BaselineEntry } from './baseline-entry.js';
import type { TriedLeg } from './candidate.js';
import type { DrillRecord } from './drill.js';
import type { EarlyEnd } from './early-end.js';
import type { CountedByLoad } from './load.js';
import type { LoadSummary } from './load-summary.js';
import type { NetworkRecord } from './network-record.js';
import type { PhaseMark, PhaseName } from './phase.js';
import type { ProbeHost, ProbeHostId } from './probe-host.js';
import type { VideoRateControl } from './rate-control.js';
import type { ResetProof } from './reset-proof.js';
import type { Participant, StreamKind } from './scenario.js';
import type { ScrapeAccount } from './scrape-account.js';
import type { ServerEvent } from './server-event.js';
import type { MediaChange, Voice } from './stimulus.js';
import type { LegRoute, TurnUsage } from './turn.js';
import type { Used } from './used.js';
import type { Verdict } from './verdict.js';
import type { WarmUp } from './warm-up.js';

/** Why a participant did not come up, or fell. */
export type ProbeFailureCode =
  | 'refused'
  | 'signalling-timeout'
  /** What the server answered, or a candidate of it, cannot be applied by the browser. */
  | 'signalling-unusable'
  | 'ice-timeout'
  | 'dtls-timeout'
  | 'no-media'
  | 'disconnected'
  | 'page-crashed'
  | 'browser-crashed'
  /** Its browser, or another of its host, did not come up, so that nobody there was begun. */
  | 'browser-start'
  /** Its host went away, and every probe on it. */
  | 'host-lost'
  | 'page-error'
  /** All candidates of the server are of a kind that probes without a browser do not use. */
  | 'candidates-unusable'
  /** Of a web app that is visited: its page did not open. */
  | 'page-not-opened'
  /** The user's join script threw, or did not return. */
  | 'join-script'
  | 'server-lost'
  /** It connected, but not through the relay that it was told to use. */
  | 'not-relayed'
  | 'turn-lost'
  | 'aborted';

export interface ProbeFailure {
  readonly probe: string;
  readonly code: ProbeFailureCode;
  readonly atMs: number;
  /** A sentence with the value seen: "no ICE connection in 10 s (state checking)". */
  readonly detail: string;
  /** Streams that did not arrive, for `no-media`: "video from 3b". */
  readonly missing?: readonly string[];
}

/** Times from the start of the join of this probe, milliseconds; absent when it did not get there. */
export interface JoinTimes {
  readonly answerMs?: number;
  readonly iceConnectedMs?: number;
  readonly dtlsConnectedMs?: number;
  /** First packet of every expected stream has arrived, and first video frame decoded. */
  readonly firstFrameMs?: number;
  /**
   * When the last participant it receives from started, if that was after its own start: media cannot come before.
   * For a mix, the first other member; for a visited page, when the last other one was connected.
   */
  readonly sourcesStartedMs?: number;
  /** How much later than planned it began; present from `lateStartMs` on. Other times count from when it did. */
  readonly startedLateMs?: number;
}

export interface ProbeRecord {
  readonly participant: Participant;
  /** Where it ran; absent: on the one host. */
  readonly host?: ProbeHostId;
  /** Indexes of browser and page, which begin anew on each host. */
  readonly browser: number;
  readonly page: number;
  /** Present when its media was encoded before: its encoder, decoder and camera say nothing. */
  readonly encoded?: true;
  /** Present when no browser played it: what a decoder and a jitter buffer would say is absent. */
  readonly native?: true;
  readonly up: boolean;
  readonly join: JoinTimes;
  readonly failures: readonly ProbeFailure[];
  /** For one that comes and goes, once up: until it began to leave; absent: it was there to the end. */
  readonly there?: { readonly fromMs: number; readonly untilMs?: number };
  /** How each leg reached the server; with a relay, nothing is up without it. */
  readonly routes?: readonly LegRoute[];
  /** What was negotiated to hold the rate of the video that it sends, when it came up. */
  readonly rates?: readonly VideoRateControl[];
}

/** What a fleet tells of its probes; `host` is where it happened, absent: on the one host. */
export type FleetEvent = { readonly host?: ProbeHostId } & (
  | { readonly type: 'probe-up'; readonly atMs: number; readonly probe: string; readonly join: JoinTimes }
  | { readonly type: 'probe-failed'; readonly atMs: number; readonly failure: ProbeFailure }
  | {
      readonly type: 'browser-crashed';
      readonly atMs: number;
      readonly browser: number;
      readonly probes: readonly string[];
    }
  | {
      readonly type: 'page-log';
      readonly atMs: number;
      readonly page: number;
      readonly level: string;
      readonly text: string;
    }
  | { readonly type: 'warning'; readonly atMs: number; readonly text: string }
  | ({ readonly type: 'app-value'; readonly atMs: number; readonly probe: string } & AppValue)
  /** A network became another one, as the plan says; of one host where each has its own. */
  | { readonly type: 'network'; readonly atMs: number; readonly network: string }
  | HostLost
);

/** Seen from outside, so that its time is the conductor's. */
interface HostLost {
  readonly type: 'host-lost';
  readonly atMs: number;
  readonly host: ProbeHostId;
  readonly probes: readonly string[];
  /** A sentence part: "it has told nothing for 15 s". */
  readonly detail: string;
}

/** Things that happened, each with its time: probe failures, server events, phase changes. */
export type TrialEvent =
  | { readonly type: 'phase'; readonly atMs: number; readonly phase: PhaseName }
  | FleetEvent
  | ({ readonly type: 'server' } & ServerEvent);

/** Window aggregates of one stream of one probe, for reports; the judge works on samples. */
export interface StreamSummary {
  readonly probe: string;
  readonly leg: string;
  readonly direction: 'send' | 'receive';
  readonly kind: StreamKind;
  /** Which of the leg's streams of this kind; absent: it has one only. */
  readonly stream?: string;
  /** Means and totals by name: bitrateKbps, fps, lossPercent, worstLossPercent5s, jitterMs, rttMs, mos … */
  readonly values: Aggregates;
}

export interface Baseline {
  /** Keyed `role/direction/kind`, on networks `…@network`: what one session alone got on this server. */
  readonly streams: Readonly<Record<string, BaselineEntry>>;
  /** The trial that it is of, where that was disturbed: limits counted from it may be too lax. */
  readonly disturbedTrial?: number;
}

/** What the media server recorded, and what was wrong with the files. */
export interface RecordingsRecord {
  readonly files: number;
  readonly faults: readonly RecordingFault[];
  /** Why the files themselves were not looked at; a sentence part. */
  readonly notChecked?: string;
}

export interface RecordingFault {
  readonly participant: string;
  /** After "The recording of 1a": "lasts 3.1 s, 33.0 s were recorded". */
  readonly detail: string;
}

/** How a trial ended, so that it can be judged again as it was judged. */
export type RecordedEnd =
  | { readonly kind: 'complete' | 'interrupted' | 'crashed' }
  | { readonly kind: 'server-lost'; readonly detail: string }
  /** `ours`: this run had started it, so that its end says nothing about what is measured. */
  | { readonly kind: 'turn-lost'; readonly detail: string; readonly ours: boolean }
  | { readonly kind: 'failed' | 'stuck' | 'drill'; readonly text: string };

/** What the steps of a trial found out; absent: it did not come so far, or had no such part. */
export interface FoundInTrial extends CountedByLoad {
  /** Absent when the trial ended before the media server was clean. */
  readonly reset?: ResetProof;
  /** What went before it on a cold server; absent where nothing did. */
  readonly warmUp?: WarmUp;
  /** The measured window; absent when the trial ended before it. */
  readonly window?: { readonly startMs: number; readonly endMs: number };
  /** Absent when nothing was recorded, or the trial ended before it was looked at. */
  readonly recordings?: RecordingsRecord;
  /** Absent without impaired networks. */
  readonly network?: NetworkRecord;
  /** What was relayed, when a TURN server of ours was there to count it. */
  readonly turn?: TurnUsage;
  /** Present when it was ended before its time because nothing could make it stable any more. */
  readonly endedEarly?: EarlyEnd;
  /** Present when its window ended as clearly stable: it steers the search and confirms nothing. */
  readonly screened?: EarlyEnd;
  /** Present when a server was taken away in it on purpose: it says nothing of a size. */
  readonly drill?: DrillRecord;
}

/** One trial, as stored before the next step is asked for. Samples and evidence are in files of their own. */
export interface TrialRecord extends FoundInTrial {
  /** From 1, in the order of execution. */
  readonly index: number;
  readonly size: number;
  /** Probes asked for and probes that came up. */
  readonly probesAsked: number;
  readonly probesUp: number;
  readonly why: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly phases: readonly PhaseMark[];
  /** Which sound its encoded probes sent; absent: nothing was encoded before, or an earlier version did not say. */
  readonly voice?: Voice;
  /** With one session alone: what the server did to media besides losing and delaying it. Absent: nothing. */
  readonly mediaChanges?: readonly MediaChange[];
  /** Hosts of its probes; absent in runs of earlier versions, which had one, and if it ended before any was there. */
  readonly hosts?: readonly ProbeHost[];
  readonly probes: readonly ProbeRecord[];
  /** Of a baseline: what was offered on legs that never had a connection; absent: there were none. */
  readonly tried?: readonly TriedLeg[];
  readonly streams: readonly StreamSummary[];
  readonly events: readonly TrialEvent[];
  /** What came of asking pages of metrics; absent when none was asked. */
  readonly scrapes?: readonly ScrapeAccount[];
  readonly verdict: Verdict;
  /** What its load took of what there is so much of; absent: nothing was read, or an earlier version did not say. */
  readonly used?: readonly Used[];
  /** Participants joined so many a second; absent: as the plan has it. */
  readonly pacePerSecond?: number;
  /** Its window was to be so long; absent: as long as the plan has it. */
  readonly heldMs?: number;
  /** What foresight expected of its size; absent: the size was not chosen by it. */
  readonly foresees?: 'stable' | 'unstable';
  /** Absent in runs of earlier versions: then it came to its end in its own order. */
  readonly end?: RecordedEnd;
  /** Peak and mean of host and server load over the window. */
  readonly load: LoadSummary;
  /** Path relative to the run directory. */
  readonly samplesFile?: string;
}

export { type PhaseMark, type PhaseName, phases } from './phase.js';
