import type { MediaKind, ReceivedStream } from '../../model/scenario.js';
import { receivedName, streamsAmongSeveral } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';

/** A stream that has curves and figures of its own: one of several of its kind that a probe receives over one leg. */
export interface CurveStream {
  readonly probe: string;
  readonly of: Omit<ReceivedStream, 'kind'> & { readonly leg: string; readonly kind: MediaKind };
  readonly name: string;
}

export function curveStreams(probes: readonly Pick<ProbeRecord, 'participant'>[]): readonly CurveStream[] {
  return probes.flatMap(({ participant: { id, legs } }) =>
    legs.flatMap((leg) =>
      streamsAmongSeveral(leg).map((stream) => ({
        probe: id,
        of: { ...stream, leg: leg.id },
        name: receivedName(stream),
      })),
    ),
  );
}
