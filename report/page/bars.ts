import type { ProbeRow, StreamRow, TrialData } from '../wire/trial-data.js';

/** What one bar stands for: a probe, or one of several streams that it receives over one connection. */
export interface Bar {
  readonly probe: ProbeRow;
  /** The probe's place in the scenario's order. */
  readonly index: number;
  /** The stream; absent: all of the probe that has no bar of its own. */
  readonly stream?: StreamRow;
  readonly figures: Pick<
    ProbeRow,
    'receivedKbps' | 'sentKbps' | 'baselineReceivedKbps' | 'baselineSentKbps' | 'lossPercent'
  >;
  readonly failing: boolean;
}

/** How high it is, and its baseline: what is received, or what is sent where nothing is received. */
export function rateOf({ receivedKbps, sentKbps, baselineReceivedKbps, baselineSentKbps }: Bar['figures']) {
  const sends = receivedKbps === undefined && sentKbps !== undefined;
  return sends
    ? { kbps: sentKbps, baseline: baselineSentKbps }
    : { kbps: receivedKbps, baseline: baselineReceivedKbps };
}

export function streamsOf({ streams }: Pick<TrialData, 'streams'>, probe: number): readonly StreamRow[] {
  return streams.filter((stream) => stream.probe === probe);
}

/** In the scenario's order. A probe whose streams have bars keeps one for what else it receives, or fails by. */
export function barsOf(data: Pick<TrialData, 'probes' | 'streams'>): readonly Bar[] {
  const apart = new Map<number, StreamRow[]>();
  for (const stream of data.streams) apart.set(stream.probe, [...(apart.get(stream.probe) ?? []), stream]);
  return data.probes.flatMap((probe, index): readonly Bar[] => {
    const streams = apart.get(index);
    const whole = { probe, index, figures: probe };
    if (!streams) return [{ ...whole, failing: probe.reasons.length > 0 }];
    const bars = streams.map((stream) => ({
      probe,
      index,
      stream,
      figures: stream,
      failing: stream.reasons.length > 0,
    }));
    const failsElse = probe.reasons.some((text) => !streams.some(({ reasons }) => reasons.includes(text)));
    return failsElse || probe.receivedKbps !== undefined ? [...bars, { ...whole, failing: failsElse }] : bars;
  });
}
