import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import type { LegRoute } from '../../model/turn.js';
import { numberNear, plural } from '../wording/wording.js';

/** That probes were relayed, what proves it, and whose the relay is; nothing where none was. */
export function turnSentences({ manifest: { turn }, records }: FinishedRun): string[] {
  const judged = records.filter((record) => record.verdict.kind !== 'void');
  if (!turn) return unaskedSentences(judged);
  const [relayed, connected] = legsOf(judged, turn.protocol);
  const at = turn.url ?? serversOf(routesOf(judged)).join(', ');
  const place = turn.ours
    ? `${turn.name}, which this run started on the probe host: its CPU is taken from the probes'`
    : `${turn.name} at ${at || 'no address'}, which is part of what was measured`;
  const proof = `${relayed} of ${plural(connected, 'connection')} of judged trials had a relayed candidate selected, reached over ${turn.protocol}, by getStats`;
  const others = turn.passedOver
    ? [`Named before it, and without a relay when the run started: ${turn.passedOver.join(', ')}.`]
    : [];
  return [
    `Probes went through ${place}. Proof: ${proof}.`,
    ...others,
    ...usageSentences(judged),
    ...dropSentences(judged),
  ];
}

/** Browsers use TURN servers that the media server names, where that is their best or only way. */
function unaskedSentences(records: readonly TrialRecord[]): string[] {
  const routes = routesOf(records);
  const relayed = routes.filter(isRelayed);
  if (relayed.length === 0) return [];
  return [
    `Warning: ${relayed.length} of ${plural(routes.length, 'connection')} of judged trials went through TURN servers that the media server names, though nobody asked for it: ${serversOf(routes).join(', ')}. They are part of what was measured.`,
  ];
}

const isRelayed = ({ candidateType }: LegRoute): boolean => candidateType === 'relay';

function routesOf(records: readonly TrialRecord[]): readonly LegRoute[] {
  return records.flatMap(({ probes }) => probes.flatMap((probe) => probe.routes ?? []));
}

/** The first of those that relayed. */
function serversOf(routes: readonly LegRoute[]): readonly string[] {
  const named = routes
    .filter(isRelayed)
    .map(({ iceServer, relayProtocol }) => iceServer ?? `one over ${relayProtocol}`);
  return [...new Set(named)].slice(0, 4);
}

/** Legs whose selected candidate was relayed as asked, and all that connected. */
function legsOf(records: readonly TrialRecord[], protocol: string): readonly [number, number] {
  const routes = routesOf(records);
  const relayed = routes.filter((route) => isRelayed(route) && route.relayProtocol === protocol);
  return [relayed.length, routes.length];
}

/** The trial that relayed most. */
function usageSentences(records: readonly TrialRecord[]): string[] {
  const [most] = records
    .flatMap(({ index, turn, load }) => (turn ? { index, turn, cores: load.turnCoresMean } : []))
    .sort((a, b) => b.turn.bytesToProbes - a.turn.bytesToProbes);
  if (!most) return [];
  const { turn, cores, index } = most;
  const cpu = cores === undefined ? '' : ` on ${numberNear(cores)} cores`;
  const refused = turn.refused === 0 ? '' : `, and refused ${turn.refused}`;
  const rest = turn.complete ? '' : ' at least';
  return [
    `By its own log the TURN server gave ${plural(turn.allocations, 'relay address', 'relay addresses')} in trial ${index}${refused}; it carried${rest} ${megabytes(turn.bytesFromProbes)} from the probes and ${megabytes(turn.bytesToProbes)} to them${cpu}.`,
  ];
}

function dropSentences(records: readonly TrialRecord[]): string[] {
  const [worst] = records
    .flatMap(({ index, load: { turnUdpDrops: drops = 0 } }) => (drops > 0 ? { index, drops } : []))
    .sort((a, b) => b.drops - a.drops);
  if (!worst) return [];
  return [
    `Warning: full receive buffers of the TURN server dropped ${plural(worst.drops, 'datagram')} in trial ${worst.index}: that loss is not the media server's.`,
  ];
}

function megabytes(bytes: number): string {
  return `${numberNear(bytes / 1e6)} MB`;
}
