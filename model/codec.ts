/** Video codecs of a trial, in the names of their RTP payload formats. */
export const videoCodecs = ['VP8', 'H264', 'VP9', 'AV1'] as const;
export type VideoCodec = (typeof videoCodecs)[number];

/** Opus in packets of 20 ms, the default of RFC 7587 (4.2) and libwebrtc: nobody here asks for another. */
export const audioPacketsPerSecond = 50;

/** Those that can be sent encoded before; with the others all probes are full. */
const encodableCodecs = ['VP8', 'H264'] as const satisfies readonly VideoCodec[];
export type EncodableCodec = (typeof encodableCodecs)[number];

export const isEncodable = (codec: VideoCodec): codec is EncodableCodec =>
  encodableCodecs.some((encodable) => encodable === codec);

/**
 * Layers within one stream, as W3C's webrtc-svc names them: spatial ones (L), each twice as wide as the one below it,
 * and temporal ones (T). With KEY only key frames of a spatial layer rest on the one below.
 */
export const scalabilityModes = [
  'L1T2',
  'L1T3',
  'L2T1',
  'L2T1_KEY',
  'L2T2',
  'L2T2_KEY',
  'L2T3',
  'L2T3_KEY',
  'L3T1',
  'L3T1_KEY',
  'L3T2',
  'L3T2_KEY',
  'L3T3',
  'L3T3_KEY',
] as const;
export type ScalabilityMode = (typeof scalabilityModes)[number];
