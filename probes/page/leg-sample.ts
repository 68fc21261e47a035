import { isPossibleRoundTrip } from '../../model/round-trip.js';
import type { LegSample } from '../../model/sample.js';
import { selectedPair } from './route.js';
import { numberAt, type StatsReport, textAt } from './stats-report.js';
import type { LegFacts } from './stream-samples.js';

/** The transport of a leg: its selected candidate pair (webrtc-stats transport.selectedCandidatePairId). */
export function legSample(
  leg: string,
  connectionState: string,
  report: StatsReport,
  { ageMs }: Pick<LegFacts, 'ageMs'>,
): LegSample {
  const { pair, local } = selectedPair(report);
  const rtt = numberAt(pair, 'currentRoundTripTime');
  const outgoing = numberAt(pair, 'availableOutgoingBitrate');
  const incoming = numberAt(pair, 'availableIncomingBitrate');
  const type = textAt(local, 'candidateType');
  const protocol = textAt(local, 'protocol');
  const relayProtocol = textAt(local, 'relayProtocol');
  return {
    leg,
    connectionState,
    ...(rtt === undefined ? {} : transportRoundTrip(rtt * 1000, ageMs)),
    ...(outgoing === undefined ? {} : { availableOutgoingKbps: outgoing / 1000 }),
    ...(incoming === undefined ? {} : { availableIncomingKbps: incoming / 1000 }),
    ...(type === undefined ? {} : { localCandidateType: type }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(relayProtocol === undefined ? {} : { relayProtocol }),
  };
}

function transportRoundTrip(rttMs: number, ageMs: number): Pick<LegSample, 'rttMs' | 'roundTripsDropped'> {
  return isPossibleRoundTrip(rttMs, ageMs) ? { rttMs } : { roundTripsDropped: 1 };
}
