import type { Sample } from '../../model/sample.js';
import { legSample } from '../page/leg-sample.js';
import type { StatsReport } from '../page/stats-report.js';
import { type LegFacts, streamSamples } from '../page/stream-samples.js';
import { type LegMarks, withMarks } from './leg-marks.js';
import type { NativePeer } from './native-peer.js';

/** What was read of the legs of a probe, each in its place. */
interface PeerReadings {
  readonly reports: readonly StatsReport[];
  /** Since the reading before. */
  readonly marks: readonly (ReturnType<LegMarks['take']> | undefined)[];
  readonly facts: readonly LegFacts[];
}

const none: StatsReport = new Map();

/** What happened on the legs of a probe from one reading to the next. */
export function peerSamples(
  peers: readonly NativePeer[],
  before: readonly StatsReport[],
  { reports, marks, facts }: PeerReadings,
): Pick<Sample, 'legs' | 'streams'> {
  return {
    legs: facts.flatMap((of, nth) => {
      const peer = peers[nth];
      return peer ? legSample(peer.leg.id, connectionState(peer), reports[nth] ?? none, of) : [];
    }),
    streams: facts.flatMap((of, nth) => {
      const peer = peers[nth];
      return peer ? withMarks(marks[nth], streamSamples(peer.leg, before[nth] ?? none, reports[nth] ?? none, of)) : [];
    }),
  };
}

const connectionState = ({ state }: NativePeer): string => (state === 'ice-connected' ? 'connecting' : state);
