import { AddTrackRequest, SimulcastCodec, TrackSource, TrackType, VideoLayer, VideoQuality } from '@livekit/protocol';
import { LoadlineError } from '../../model/errors.js';
import type { MediaKind } from '../../model/scenario.js';
import type { Picture } from './livekit-options.js';
import type { Response } from './signal-socket.js';

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

/** One layer, as it is sent. Sound comes as it is: no packet holds an earlier one again (RFC 2198). */
export function announcementOf(cid: string, kind: MediaKind, name: string, picture: Picture): AddTrackRequest {
  if (kind === 'audio') {
    const source = TrackSource.MICROPHONE;
    return new AddTrackRequest({ cid, name, type: TrackType.AUDIO, source, disableDtx: true, disableRed: true });
  }
  const { width, height, videoKbps, codec } = picture;
  const layers = [new VideoLayer({ quality: VideoQuality.HIGH, width, height, bitrate: videoKbps * 1000 })];
  const simulcastCodecs = [new SimulcastCodec({ codec, cid })];
  const type = { type: TrackType.VIDEO, source: TrackSource.CAMERA };
  return new AddTrackRequest({ cid, name, ...type, width, height, layers, simulcastCodecs });
}
