import type { LegRoute } from '../../model/turn.js';
import { entriesOf, entryAt, numberAt, type StatsEntry, type StatsReport, textAt } from './stats-report.js';

/** The selected candidate pair of a connection (webrtc-stats transport.selectedCandidatePairId) and our end of it. */
export function selectedPair(report: StatsReport): {
  readonly pair: StatsEntry | undefined;
  readonly local: StatsEntry | undefined;
} {
  const transport = entriesOf(report, 'transport').find((entry) => textAt(entry, 'selectedCandidatePairId'));
  const pair = entryAt(report, transport, 'selectedCandidatePairId');
  return { pair, local: entryAt(report, pair, 'localCandidateId') };
}

/** How a leg reaches its server; `undefined` while getStats does not say. */
export function routeOf(leg: string, report: StatsReport): LegRoute | undefined {
  const { local } = selectedPair(report);
  const candidateType = textAt(local, 'candidateType');
  if (candidateType === undefined) return undefined;
  const relayProtocol = textAt(local, 'relayProtocol');
  const [address, port] = [textAt(local, 'address'), numberAt(local, 'port')];
  const relayed = candidateType === 'relay';
  const iceServer = textAt(local, 'url');
  return {
    leg,
    candidateType,
    ...(relayed && relayProtocol !== undefined ? { relayProtocol } : {}),
    ...(relayed && address !== undefined && port !== undefined ? { relayedAt: `${address}:${port}` } : {}),
    ...(relayed && iceServer !== undefined ? { iceServer } : {}),
  };
}
