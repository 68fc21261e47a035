import { type ExpectedStream, isMix } from '../../model/expected-streams.js';
import { changesOf, isCleanNetwork, type Link, linksAt, type Network } from '../../model/network.js';
import { sourceNetwork } from '../measure/baseline-key.js';
import type { StreamMeasure } from './stream-rules.js';

/** One way of a stream between a participant and the server: the link that its packets take, and the one back. */
export interface Hop {
  readonly there: Link;
  readonly back: Link;
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
    const mine = own ? linksAt(own, atMs) : untouched;
    if (stream.direction === 'send') return [{ there: mine.up, back: mine.down }];
    const here: Hop = { there: mine.down, back: mine.up };
    if (isMix(stream)) return [here];
    const theirs = source ? linksAt(source, atMs) : untouched;
    return [{ there: theirs.up, back: theirs.down }, here];
  });
}

/** The hop of a participant's own connection: up and back. */
export function ownHops({ participant }: ExpectedStream, measure: StreamMeasure): readonly Hop[] {
  const own = networkOf(participant.network, measure);
  return timesOf(own).map((atMs) => {
    const { up, down } = own ? linksAt(own, atMs) : untouched;
    return { there: up, back: down };
  });
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
