import { type ExpectedStream, isMix } from '../../model/expected-streams.js';
import { changesOf, isCleanNetwork, type Link, linksAt, type Network } from '../../model/network.js';
import { layerAsked, type MediaKind, receivedStreams } from '../../model/scenario.js';
import { sourceNetwork } from '../measure/baseline-key.js';
import { mean } from '../statistics/statistics.js';
import type { StreamMeasure } from './stream-rules.js';

/** A link, and the media that share it; absent: those of the whole connection that is looked at. */
export interface Way extends Link {
  readonly carries?: { readonly kinds: readonly MediaKind[]; readonly videoKbps: number };
}

/** One way of a stream between a participant and the server: the link that its packets take, and the one back. */
export interface Hop {
  readonly there: Way;
  readonly back: Way;
}

/** True when limits are counted from what links do, because some link of the plan does something. */
export function isJudgedByLinks({ networks = [] }: StreamMeasure): boolean {
  return networks.some((network) => !isCleanNetwork(network));
}

/** True when packets of this stream pass a network that does something to them. */
export function isImpaired(stream: ExpectedStream, measure: StreamMeasure): boolean {
  return networksOf(stream, measure).some((network) => network !== undefined && !isCleanNetwork(network));
}

/**
 * The hops of a stream in the order of its packets, as they are set: what is sent goes up; what is received went up at
 * its source and comes down here. What the server mixes itself has its first packet there. One list for each state that
 * the networks are in at some time of the window.
 */
export function hopsOf(stream: ExpectedStream, measure: StreamMeasure): readonly (readonly Hop[])[] {
  const [own, source] = networksOf(stream, measure);
  return timesOf(own, source).map((atMs) => {
    const mine = ownWays(stream, measure, atMs);
    if (stream.direction === 'send') return [{ there: mine.up, back: mine.down }];
    const here: Hop = { there: mine.down, back: mine.up };
    if (isMix(stream)) return [here];
    const theirs = source ? linksAt(source, atMs) : untouched;
    // Of all that is received over a connection its source sends its own.
    const kinds = ofOneSource(stream);
    const { videoKbps } = measure.media;
    return [{ there: { ...theirs.up, carries: { kinds, videoKbps } }, back: theirs.down }, here];
  });
}

/** The hop of a participant's own connection: up and back. */
export function ownHops(stream: ExpectedStream, measure: StreamMeasure): readonly Hop[] {
  const own = networkOf(stream.participant.network, measure);
  return timesOf(own).map((atMs) => {
    const { up, down } = ownWays(stream, measure, atMs);
    return { there: up, back: down };
  });
}

/** Up goes what the connection sends, and down what it receives. */
function ownWays(stream: ExpectedStream, measure: StreamMeasure, atMs: number): Readonly<Record<'up' | 'down', Way>> {
  const { leg, participant } = stream;
  const { videoKbps } = measure.media;
  const own = networkOf(participant.network, measure);
  const { up, down } = own ? linksAt(own, atMs) : untouched;
  const received = receivedStreams(leg);
  // Each picture in the layer that is asked of it.
  const rates = received.flatMap((one) => (one.kind === 'video' ? (layerAsked(one)?.kbps ?? videoKbps) : []));
  const kinds = received.map(({ kind }) => kind);
  return {
    up: { ...up, carries: { kinds: leg.sends, videoKbps } },
    down: { ...down, carries: { kinds, videoKbps: mean(rates) ?? videoKbps } },
  };
}

function ofOneSource({ leg, from }: ExpectedStream): readonly MediaKind[] {
  const isFrom = (one: ExpectedStream['from']) =>
    one !== undefined && 'participant' in one && from !== undefined && 'participant' in from
      ? one.participant === from.participant
      : one === from;
  // A connection sends one stream of a kind: a screen has its own, and an app does not name its sources.
  return [...new Set(receivedStreams(leg).flatMap(({ kind, from: one }) => (isFrom(one) ? kind : [])))];
}

const untouched = { up: {}, down: {} } as const;

function networksOf({ direction, from, participant }: ExpectedStream, measure: StreamMeasure) {
  const source = sourceNetwork(direction, from, participant.network);
  return [networkOf(participant.network, measure), networkOf(source, measure)] as const;
}

function networkOf(name: string | undefined, { networks }: StreamMeasure): Network | undefined {
  return name === undefined ? undefined : networks?.find((network) => network.name === name);
}

/** Before the window, and whenever one of the networks becomes another one. */
export function timesOf(...networks: readonly (Network | undefined)[]): readonly number[] {
  return [...new Set([-1, ...networks.flatMap((network) => (network ? changesOf(network) : []))])];
}
