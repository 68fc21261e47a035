import type { LegSample, StreamSample } from '../../model/sample.js';
import { type Leg, type MediaKind, receivedName, receivedStreams } from '../../model/scenario.js';
import type { ConnectionSeen, StreamSeen } from '../page/visit/wire.js';

/** A stream still for so many readings gives its place to a placeless one that began to flow when it stopped. */
const stillReadings = 3;
/** Where an app shows another tile, the new one begins to flow when the old one stops, or so many readings before. */
const overlapReadings = 2;

/** A connection of the page, named so that no other document of it has the same. */
export interface PlacedConnection extends ConnectionSeen {
  readonly place: string;
}

interface Candidate {
  readonly key: string;
  readonly connection: PlacedConnection;
  readonly seen: StreamSeen;
}

interface Slot {
  readonly direction: StreamSeen['direction'];
  readonly kind: MediaKind;
  /** The name of the expected stream; absent for what is sent. */
  readonly stream?: string | undefined;
  readonly name: string;
  holder?: string | undefined;
  arrived: boolean;
  still: number;
  /** The reading in which it began to stand still. */
  stillSince: number;
}

/**
 * The streams that a participant is to have, and which of those that its page has they are. The app does not say whose
 * stream is whose, so places are given in the order in which streams come, and kept while they last. A stream that the
 * app ends or turns off leaves its place; one that merely stands still keeps it, and starves there, unless another one
 * comes in its stead: one that flowed all along beside it was never expected, and hides nobody's starving.
 */
export class StreamSlots {
  private readonly leg: Leg;
  private readonly slots: readonly Slot[];
  private readings = 0;
  /** Of each stream that flows, since which reading, and when last; a short pause is none. */
  private readonly flowing = new Map<string, { readonly since: number; last: number }>();

  constructor(leg: Leg) {
    this.leg = leg;
    const fresh = { arrived: false, still: 0, stillSince: 0 };
    this.slots = [
      ...receivedStreams(leg).map(
        (one): Slot => ({
          direction: 'receive',
          kind: one.kind,
          stream: one.stream,
          name: receivedName(one),
          ...fresh,
        }),
      ),
      ...leg.sends.map((kind): Slot => ({ direction: 'send', kind, name: `sent ${kind}`, ...fresh })),
    ];
  }

  /**
   * Gives places, and notes which streams have come.
   *
   * @param isSecond false of a look between two readings, and of what another frame of the page tells of a second
   */
  take(connections: readonly PlacedConnection[], isSecond = true): void {
    const candidates = candidatesOf(connections);
    if (isSecond) this.noteFlows(candidates);
    for (const slot of this.slots) this.look(slot, candidates, isSecond);
    for (const slot of this.slots) if (slot.holder === undefined) this.fill(slot, candidates);
  }

  /** Expected streams that have not come by now. */
  get missing(): readonly string[] {
    return this.slots.filter(({ arrived }) => !arrived).map(({ name }) => name);
  }

  get hasReceived(): boolean {
    return this.slots.every(({ arrived, direction }) => arrived || direction === 'send');
  }

  /**
   * One sample for each expected stream; empty for those that nobody holds now. Of one that is held, and whose frame
   * has not told of this second, nothing is known.
   */
  streams(connections: readonly PlacedConnection[]): readonly StreamSample[] {
    const candidates = candidatesOf(connections);
    return this.slots.map(({ holder, direction, kind, stream }): StreamSample => {
      const found = candidates.find(({ key }) => key === holder);
      const sample = found?.seen.sample;
      const leg = this.leg.id;
      const untold = { metrics: {}, ...(holder === undefined || found ? {} : { restarted: true as const }) };
      if (direction === 'send')
        return sample?.direction === 'send' ? { ...sample, leg } : { leg, direction, kind, ...untold };
      const named = stream === undefined ? {} : { stream };
      if (sample?.direction !== 'receive') return { leg, direction, kind, ...named, ...untold };
      const { stream: _, ...rest } = sample;
      return { ...rest, leg, ...named };
    });
  }

  /** The leg as its worst connection has it, of those that carry something expected. */
  legSample(connections: readonly PlacedConnection[]): LegSample {
    const held = candidatesOf(connections).filter(({ key }) => this.slots.some(({ holder }) => holder === key));
    const legs = [...new Set(held.map(({ connection }) => connection))].map(({ leg }) => leg);
    const [worst] = [...legs].sort((one, other) => rank(one) - rank(other));
    const rtts = legs.flatMap(({ rttMs }) => rttMs ?? []);
    const outgoing = held.find(({ seen }) => seen.direction === 'send')?.connection.leg.availableOutgoingKbps;
    const { availableOutgoingKbps: _, ...rest } = worst ?? { connectionState: 'none' };
    return {
      ...rest,
      leg: this.leg.id,
      ...(rtts.length > 0 ? { rttMs: Math.max(...rtts) } : {}),
      ...(outgoing === undefined ? {} : { availableOutgoingKbps: outgoing }),
    };
  }

  private look(slot: Slot, candidates: readonly Candidate[], isSecond: boolean): void {
    const held = candidates.find(({ key }) => key === slot.holder);
    if (!held?.seen.wanted) {
      slot.holder = undefined;
      slot.still = 0;
      return;
    }
    if (!isSecond) return;
    if (held.seen.sample) slot.still = flows(held.seen) ? 0 : slot.still + 1;
    if (slot.still === 1) slot.stillSince = this.readings;
    const isInItsStead = ({ key }: Candidate) =>
      (this.flowing.get(key)?.since ?? Number.NEGATIVE_INFINITY) >= slot.stillSince - overlapReadings;
    if (slot.still >= stillReadings && this.free(slot, candidates).some(isInItsStead)) slot.holder = undefined;
  }

  private noteFlows(candidates: readonly Candidate[]): void {
    this.readings += 1;
    for (const { key, seen } of candidates) {
      if (!flows(seen)) continue;
      const known = this.flowing.get(key);
      if (known) known.last = this.readings;
      else this.flowing.set(key, { since: this.readings, last: this.readings });
    }
    for (const [key, { last }] of this.flowing) if (this.readings - last > stillReadings) this.flowing.delete(key);
  }

  private fill(slot: Slot, candidates: readonly Candidate[]): void {
    const free = this.free(slot, candidates);
    const next = free.find(({ seen }) => flows(seen)) ?? free.find(({ key }) => key !== slot.holder);
    if (!next) return;
    slot.holder = next.key;
    slot.arrived = true;
    slot.still = 0;
  }

  /** Streams that have come, are wanted, and hold no place. */
  private free({ direction, kind }: Slot, candidates: readonly Candidate[]): readonly Candidate[] {
    return candidates.filter(
      ({ key, seen }) =>
        seen.direction === direction &&
        seen.kind === kind &&
        seen.arrived &&
        seen.wanted &&
        !this.slots.some(({ holder }) => holder === key),
    );
  }
}

function candidatesOf(connections: readonly PlacedConnection[]): readonly Candidate[] {
  return connections.flatMap((connection) =>
    connection.streams.map((seen) => ({ key: `${connection.place} ${seen.direction} ${seen.mid}`, connection, seen })),
  );
}

/** Whether anything came or went in the second. */
function flows({ sample }: StreamSeen): boolean {
  if (!sample) return false;
  const packets = sample.direction === 'send' ? sample.metrics.packetsSent : sample.metrics.packetsReceived;
  return (packets ?? 0) > 0;
}

const worstFirst = ['failed', 'disconnected', 'closed', 'new', 'connecting', 'connected'];
const rank = ({ connectionState }: LegSample): number => worstFirst.indexOf(connectionState);
