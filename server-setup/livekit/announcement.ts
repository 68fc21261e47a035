import { AddTrackRequest, SimulcastCodec, TrackSource, TrackType, VideoLayer } from '@livekit/protocol';
import { LoadlineError } from '../../model/errors.js';
import { layerNames, type SentLayer } from '../../model/layer.js';
import type { Picture } from './livekit-options.js';
import type { OfferedTrack } from './offered-tracks.js';
import type { Response } from './signal-socket.js';
import { qualities } from './track-settings.js';

/** The track of that name is known; throws where the server does not take it. */
export function publishedOf(message: Response, cid: string): true | undefined {
  if (message.case === 'trackPublished') return message.value.cid === cid ? true : undefined;
  if (message.case !== 'requestResponse') return undefined;
  const { request, reason, message: why } = message.value;
  if (request.case !== 'addTrack' || request.value.cid !== cid || reason === 0) return undefined;
  throw new LoadlineError('E_SERVER_REFUSED', 'The LiveKit does not take what the participant sends.', {
    where: cid,
    why: `reason ${reason}: ${why}`,
  });
}

/** As it is sent, under that name. Sound comes as it is: no packet holds an earlier one again (RFC 2198). */
export function announcementOf({ cid, kind }: OfferedTrack, name: string, picture: Picture): AddTrackRequest {
  if (kind === 'audio') {
    const source = TrackSource.MICROPHONE;
    return new AddTrackRequest({ cid, name, type: TrackType.AUDIO, source, disableDtx: true, disableRed: true });
  }
  const { width, height, codec } = picture;
  const type = { type: TrackType.VIDEO, source: TrackSource.CAMERA };
  const simulcastCodecs = [new SimulcastCodec({ codec, cid })];
  return new AddTrackRequest({ cid, name, ...type, width, height, layers: layersOf(picture), simulcastCodecs });
}

/** Of one layer the server is told as of the best of several. */
function layersOf({ width, height, videoKbps, layers = [] }: Picture): VideoLayer[] {
  const whole: SentLayer = { rid: '', shrunkBy: 1, kbps: videoKbps };
  return (layers.length === 0 ? [whole] : layers).toReversed().map(({ shrunkBy, kbps }, nth) => {
    const quality = qualities[layerNames.toReversed()[nth] ?? 'low'];
    return new VideoLayer({
      quality,
      width: width / shrunkBy,
      height: height / shrunkBy,
      bitrate: Math.round(kbps * 1000),
    });
  });
}
