import type { VideoCodec } from '../../model/codec.js';
import type { MediaKind } from '../../model/scenario.js';

/** The H264 profile (RFC 6184, 8.1) that every peer must take (RFC 7742, 6.2): constrained baseline, in fragments. */
const constrainedBaseline = /packetization-mode=1.*profile-level-id=42e01f/;

/**
 * The codecs that are offered, and nothing else: a server that chose another one would give numbers of another kind.
 * Resent packets travel as rtx where the server knows it. No FEC: it would count as bitrate that carries no picture.
 * Throws when this browser does not have the codec.
 */
export function offeredCodecs(kind: MediaKind, videoCodec: VideoCodec): RTCRtpCodec[] {
  const name = kind === 'audio' ? 'opus' : videoCodec;
  // A recvonly leg needs a codec that can be decoded only, but all probes of a trial are to be of one kind.
  const known = RTCRtpReceiver.getCapabilities(kind)?.codecs ?? [];
  const codec = known.find(({ mimeType, sdpFmtpLine = '' }) => {
    if (mimeType.toLowerCase() !== `${kind}/${name}`.toLowerCase()) return false;
    return name !== 'H264' || constrainedBaseline.test(sdpFmtpLine);
  });
  if (!codec) throw new Error(`this Chromium has no ${name}`);
  return [codec, ...known.filter(({ mimeType }) => kind === 'video' && mimeType === 'video/rtx')];
}
