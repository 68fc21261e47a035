/** What was sent to the server and came from it, counted where its protocol is spoken. */
export interface SignallingTraffic {
  readonly sentMessages: number;
  readonly sentBytes: number;
  readonly receivedMessages: number;
  readonly receivedBytes: number;
  /** Requests that the server is to answer. */
  readonly roundTrips: number;
}

/** Undefined where it was not counted before, or is not after. */
export function trafficBetween(
  before: SignallingTraffic | undefined,
  after: SignallingTraffic | undefined,
): SignallingTraffic | undefined {
  return before && after && combinedTraffic(after, before, (later, earlier) => later - earlier);
}

/** Each count of one with the same of the other. */
export function combinedTraffic(
  one: SignallingTraffic,
  other: SignallingTraffic,
  combine: (one: number, other: number) => number,
): SignallingTraffic {
  const names = Object.keys(one) as (keyof SignallingTraffic)[];
  return Object.fromEntries(names.map((name) => [name, combine(one[name], other[name])])) as Record<
    keyof SignallingTraffic,
    number
  >;
}
