import { UpdateTrackSettings, VideoQuality } from '@livekit/protocol';
import type { LayerName } from '../../model/layer.js';
import { type Leg, layerAsked, receivedStreams, senderOfSource } from '../../model/scenario.js';
import type { OfferedStream } from './offered-tracks.js';

/** Layers in the words of the server. */
export const qualities = { low: VideoQuality.LOW, middle: VideoQuality.MEDIUM, high: VideoQuality.HIGH } as const;

/** Which layer a leg asks for, by participant whose video it is. */
export const layersAskedBy = (leg: Leg): ReadonlyMap<string, LayerName> =>
  new Map(
    receivedStreams(leg).flatMap((one) => {
      const [from, asked] = [senderOfSource(one.from), layerAsked(one)];
      return from === undefined || asked === undefined ? [] : [[from, asked.name] as const];
    }),
  );

/** What the server is told to send of the offered pictures of one participant. */
export function settingsOf(offered: readonly OfferedStream[], layer: LayerName): UpdateTrackSettings | undefined {
  const trackSids = offered.flatMap(({ kind, trackSid }) => (kind === 'video' ? [trackSid] : []));
  return trackSids.length === 0 ? undefined : new UpdateTrackSettings({ trackSids, quality: qualities[layer] });
}
