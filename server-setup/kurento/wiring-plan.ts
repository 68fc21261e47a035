import { type Leg, receivedData, receivedStreams, type StreamKind } from '../../model/scenario.js';

/** A leg that has joined, whose it is, and its endpoint. */
interface JoinedLeg {
  readonly leg: Leg;
  readonly participant: string;
  readonly endpoint: string;
}

/** Media of one kind, or messages, flow from one endpoint to another. */
export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly kind: StreamKind;
}

/** The legs of a forwarding session that are there, and which of them feed which. */
export class Wiring {
  readonly #legs = new Map<string, JoinedLeg>();
  readonly #sending = new Map<string, Set<JoinedLeg>>();

  has(leg: string): boolean {
    return this.#legs.has(leg);
  }

  endpointOf(leg: string): string | undefined {
    return this.#legs.get(leg)?.endpoint;
  }

  all(): readonly JoinedLeg[] {
    return [...this.#legs.values()];
  }

  /**
   * Adds a leg and says what is to be connected because of it: the leg with which a source sends feeds every leg that
   * receives from it. Of two legs the one that joins later has the relation. A source that sends no such kind is left
   * out, and the probe then misses the stream by name.
   */
  join(one: JoinedLeg): readonly Relation[] {
    this.#legs.set(one.leg.id, one);
    if (one.leg.sends.length > 0) {
      const sending = this.#sending.get(one.participant) ?? new Set();
      this.#sending.set(one.participant, sending.add(one));
    }
    const others = one.leg.sends.length === 0 ? [] : this.all().filter((other) => other !== one);
    return [
      ...this.#feeding(one),
      ...others.flatMap((other) => this.#feeding(other).filter(({ from }) => from === one.endpoint)),
    ];
  }

  #feeding({ leg, endpoint: to }: JoinedLeg): readonly Relation[] {
    return [...receivedStreams(leg), ...receivedData(leg)].flatMap(({ kind, from: source }) => {
      // It answers with what it hears.
      if (source === undefined && kind !== 'data' && leg.sends.includes(kind)) return [{ from: to, to, kind }];
      if (source === undefined || !('participant' in source)) return [];
      const from = [...(this.#sending.get(source.participant) ?? [])].find((one) =>
        kind === 'data' ? one.leg.data !== undefined : one.leg.sends.includes(kind),
      );
      return from === undefined ? [] : [{ from: from.endpoint, to, kind }];
    });
  }

  /** Undefined where it is not there. */
  leave(leg: string): JoinedLeg | undefined {
    const one = this.#legs.get(leg);
    if (one === undefined) return undefined;
    this.#legs.delete(leg);
    const sending = this.#sending.get(one.participant);
    sending?.delete(one);
    if (sending?.size === 0) this.#sending.delete(one.participant);
    return one;
  }
}
