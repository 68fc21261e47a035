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
