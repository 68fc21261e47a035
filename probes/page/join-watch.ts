import { askAt } from '../../model/layer.js';
import { type ConnectionStates, notConnected } from '../../model/not-connected.js';
import { type Leg, layerAsked, type ReceivedStream, receivedName, receivedStreams } from '../../model/scenario.js';
import { isRejected } from '../../model/sdp-section.js';
import type { JoinTimes } from '../../model/trial.js';
import { numberAt, type StatsReport } from './stats-report.js';
import { entriesOfStream, type StreamOfMid } from './stream-entries.js';
import type { FailureReport } from './wire.js';

export type Failure = Omit<FailureReport, 'atMs'>;

/**
 * The streams of a leg that have not arrived yet. Those whose source is gone are left out, and so are pictures that are
 * not shown at first. Video has arrived when a frame was decoded (inbound-rtp.framesDecoded), audio when a packet came
 * (inbound-rtp.packetsReceived).
 */
export function missingStreams(
  leg: Leg,
  report: StatsReport,
  streamOfMid?: StreamOfMid,
  away: ReadonlySet<string> = new Set(),
): readonly string[] {
  return receivedStreams(leg)
    .filter(({ stream }) => stream === undefined || !away.has(stream))
    .filter((stream) => !isHiddenAtFirst(stream))
    .filter((stream) => {
      const field = stream.kind === 'video' ? 'framesDecoded' : 'packetsReceived';
      return !entriesOfStream(report, 'inbound-rtp', stream, streamOfMid).some(
        (entry) => (numberAt(entry, field) ?? 0) > 0,
      );
    })
    .map(receivedName);
}

/** A picture that is not shown when its receiver comes is not waited for. */
function isHiddenAtFirst(stream: ReceivedStream): boolean {
  const asked = layerAsked(stream);
  return asked !== undefined && askAt(asked, 0) === 'none';
}

/** What the connection of a leg is like. */
export interface JoiningLeg extends ConnectionStates {
  readonly leg: Leg;
  /** Of the server; empty before there is one. */
  readonly description: string;
  readonly streamOfMid: StreamOfMid;
  readonly away: ReadonlySet<string>;
  readonly data?: { readonly missing: (away: ReadonlySet<string>) => readonly string[] } | undefined;
}

/** Native probes know one state more than browsers. */
export const iceIsUp = (state: string): boolean => ['ice-connected', 'connected', 'completed'].includes(state);

/** Those of all legs, each with its report, and whose messages have not come. */
export function missingOf(peers: readonly JoiningLeg[], reports: readonly StatsReport[]): readonly string[] {
  return peers.flatMap(({ leg, streamOfMid, away, data }, index) => [
    ...missingStreams(leg, reports[index] ?? new Map(), streamOfMid, away),
    ...(data?.missing(away) ?? []),
  ]);
}

interface JoinState {
  readonly join: JoinTimes;
  readonly elapsedMs: number;
  readonly legs: readonly (ConnectionStates & Pick<JoiningLeg, 'description'>)[];
  readonly missing: readonly string[];
}

/** Why a probe that is out of time is not up: the first step of joining that it did not reach. */
export function outOfTime({ join, elapsedMs, legs, missing }: JoinState): Failure {
  const elapsed = seconds(elapsedMs);
  if (join.answerMs === undefined) return { code: 'signalling-timeout', detail: `no SDP answer in ${elapsed}` };
  const apart = notConnected(join, elapsed, legs);
  if (apart) return apart;
  const waited = seconds(elapsedMs - (join.dtlsConnectedMs ?? elapsedMs));
  const kinds = new Set(legs.flatMap(({ description }) => refusedKinds(description)));
  const refused = [...kinds].filter((kind) => missing.some((name) => name.startsWith(kind)));
  const why = refused.length === 0 ? '' : `: the server's description refuses ${refused.join(' and ')}`;
  const what = missing.length === 0 ? 'its media came too late' : `but no ${missing.join(', no ')} for ${waited}${why}`;
  return { code: 'no-media', detail: `connected, ${what}`, missing };
}

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`;

/** An offer, an answer or a candidate that this end does not take: the server wrote it. */
export const unusable = (error: unknown): Failure => ({ code: 'signalling-unusable', detail: String(error) });

/** Kinds of media that a description refuses (port 0; RFC 3264, 6) or leaves without any in each of their sections. */
export function refusedKinds(sdp: string): readonly string[] {
  const sections = sdp.split(/\r?\n(?=m=)/).slice(1);
  const kindsOf = (some: readonly string[]) => new Set(some.map((section) => /^m=(\S+)/.exec(section)?.[1] ?? ''));
  const isRefused = (section: string) => /^a=inactive\r?$/m.test(section) || isRejected(section);
  const taken = kindsOf(sections.filter((section) => !isRefused(section)));
  const refused = [...kindsOf(sections.filter(isRefused))].filter((kind) => !taken.has(kind));
  return refused.map((kind) => (kind === 'application' ? 'data' : kind));
}
