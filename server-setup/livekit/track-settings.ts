import { UpdateTrackSettings, VideoQuality } from '@livekit/protocol';
import { type Ask, askAt } from '../../model/layer.js';
import { type Leg, layerAsked, receivedStreams, senderOfSource } from '../../model/scenario.js';
import type { OfferedStream } from './offered-tracks.js';

/** Layers in the words of the server. */
export const qualities = { low: VideoQuality.LOW, middle: VideoQuality.MEDIUM, high: VideoQuality.HIGH } as const;

/** What a leg asks for at first, by participant whose video it is. */
export const layersAskedBy = (leg: Leg): ReadonlyMap<string, Ask> =>
  new Map(
    receivedStreams(leg).flatMap((one) => {
      const [from, asked] = [senderOfSource(one.from), layerAsked(one)];
      return from === undefined || asked === undefined ? [] : [[from, askAt(asked, 0)] as const];
    }),
  );

/** What the server is told to send of the offered pictures of one participant. */
export function settingsOf(offered: readonly OfferedStream[], ask: Ask): UpdateTrackSettings | undefined {
  const trackSids = offered.flatMap(({ kind, trackSid }) => (kind === 'video' ? [trackSid] : []));
  if (trackSids.length === 0) return undefined;
  return new UpdateTrackSettings({ trackSids, ...(ask === 'none' ? { disabled: true } : { quality: qualities[ask] }) });
}
