import type { MediaKind } from '../../model/scenario.js';
import { entriesOf, type StatsEntry, type StatsReport, textAt } from './stats-report.js';

/** Which of a leg's streams each media section carries, by the section's mid (RFC 9143). */
export type StreamOfMid = ReadonlyMap<string, string>;

/**
 * What getStats has of one stream of a leg: everything of its kind, and where it has an id, what came in its media
 * section (inbound-rtp.mid), or was sent as its layer (outbound-rtp.rid). A section of unknown owner is of none.
 */
export function entriesOfStream(
  report: StatsReport,
  type: 'inbound-rtp' | 'outbound-rtp',
  { kind, stream }: { readonly kind: MediaKind; readonly stream?: string | undefined },
  streamOfMid?: StreamOfMid,
): readonly StatsEntry[] {
  const streamIn = (entry: StatsEntry) =>
    type === 'outbound-rtp' ? textAt(entry, 'rid') : streamOfMid?.get(textAt(entry, 'mid') ?? '');
  return entriesOf(report, type).filter(
    (entry) => entry.kind === kind && (stream === undefined || streamIn(entry) === stream),
  );
}
