import { fromEar, type GstEar, type GstMouth, toMouth } from './gst-process.js';

/**
 * The GStreamer pipeline of one mixed room, as arguments of `gst-launch-1.0`: each member's VP8 and Opus come in as RTP
 * on UDP sockets of their own, one picture of everybody is encoded once and shared by all, and each member gets a sound
 * of its own without its own voice. Of a room of sound alone no picture is decoded, made or encoded.
 */

export interface MixerPorts {
  /** Where the pipeline hears the RTP of member i. */
  readonly members: readonly { readonly videoIn: GstEar; readonly audioIn: GstEar; readonly audioOut: GstMouth }[];
  /** Of the shared picture. */
  readonly videoOut: GstMouth;
  /** Where the pipeline hears RTCP about it. */
  readonly rtcpIn: GstEar;
  /** SSRC of the shared picture: another for each process, which tells receivers that a new stream begins. */
  readonly videoSsrc: number;
}

export interface MixerFormat {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly videoBps: number;
  readonly audioBps: number;
  /** A room without pictures: what is said of them counts for nothing. */
  readonly soundOnly?: true;
}

/** A Composite of Kurento as shipped: 800×600 at 15 frames a second. */
export const compositeFormat: MixerFormat = {
  width: 800,
  height: 600,
  framesPerSecond: 15,
  videoBps: 500_000,
  audioBps: 32_000,
};

export const mixedVideoPayloadType = 96;
export const mixedAudioPayloadType = 111;

interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tiles of the picture, row by row: 1, 1×2, 2×2, 2×3 … Sizes are even, as 4:2:0 video wants. */
export function gridTiles(count: number, width: number, height: number): readonly Tile[] {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const tileWidth = Math.floor(width / columns / 2) * 2;
  const tileHeight = Math.floor(height / rows / 2) * 2;
  return Array.from({ length: count }, (_, index) => ({
    x: (index % columns) * tileWidth,
    y: Math.floor(index / columns) * tileHeight,
    width: tileWidth,
    height: tileHeight,
  }));
}

const rtpCaps = (media: string, encoding: string, payload: number, clockRate: number): string =>
  `application/x-rtp,media=${media},encoding-name=${encoding},payload=${payload},clock-rate=${clockRate}`;

/** How long a packet lost on a member's way here is waited for once asked for: GStreamer's default. */
export const mixJitterMs = 200;

const jitterBuffer = `rtpjitterbuffer latency=${mixJitterMs} drop-on-latency=true`;
function memberPicture({ videoIn }: MixerPorts['members'][number], index: number, tile: Tile): string {
  const video = rtpCaps('video', 'VP8', mixedVideoPayloadType, 90_000);
  return [
    `${fromEar(videoIn, video)} ! ${jitterBuffer} ! rtpvp8depay wait-for-keyframe=true ! vp8dec`,
    `! videoconvertscale ! video/x-raw,width=${tile.width},height=${tile.height}`,
    `! queue leaky=downstream max-size-buffers=2 ! picture.sink_${index}`,
  ].join(' ');
}

function memberVoice({ audioIn }: MixerPorts['members'][number], index: number): string {
  const audio = rtpCaps('audio', 'OPUS', mixedAudioPayloadType, 48_000);
  return [
    `${fromEar(audioIn, audio)} ! ${jitterBuffer} ! rtpopusdepay ! opusdec plc=true`,
    `! audioconvert ! audioresample ! audio/x-raw,rate=48000,channels=1 ! tee name=voice${index} allow-not-linked=true`,
  ].join(' ');
}

function sharedPicture(ports: MixerPorts, format: MixerFormat, tiles: readonly Tile[]): string {
  const places = tiles.map((tile, index) => `sink_${index}::xpos=${tile.x} sink_${index}::ypos=${tile.y}`).join(' ');
  const { framesPerSecond: rate, width, height, videoBps } = format;
  return [
    // A live picture that is always there: without it a mix with no member yet ends at once.
    `videotestsrc is-live=true pattern=black ! video/x-raw,width=16,height=16,framerate=${rate}/1 ! queue`,
    // Not `ignore-inactive-pads`: with it one mixer in fifteen never gave a picture (GStreamer 1.22).
    `! picture.sink_${tiles.length} compositor name=picture background=black`,
    `latency=50000000 ${places} ! video/x-raw,width=${width},height=${height},framerate=${rate}/1`,
    `! vp8enc deadline=1 cpu-used=8 threads=1 lag-in-frames=0 end-usage=cbr target-bitrate=${videoBps}`,
    // Key frames come when a receiver asks (PLI), as from any conferencing encoder.
    'keyframe-max-dist=3000',
    `! rtpvp8pay pt=${mixedVideoPayloadType} mtu=1200 picture-id-mode=15-bit ssrc=${ports.videoSsrc}`,
    '! rtp.send_rtp_sink_0 rtpbin name=rtp rtp-profile=avpf rtp.send_rtp_src_0 !',
    toMouth(ports.videoOut),
    `${fromEar(ports.rtcpIn, 'application/x-rtcp')} ! rtp.recv_rtcp_sink_0`,
  ].join(' ');
}

function soundFor(listener: number, audioOut: GstMouth, ports: MixerPorts, format: MixerFormat): string {
  const others = ports.members.map((_, index) => index).filter((index) => index !== listener);
  return [
    `audiomixer name=sound${listener} latency=40000000 ! audio/x-raw,rate=48000,channels=1`,
    `! opusenc bitrate=${format.audioBps} frame-size=20 ! rtpopuspay pt=${mixedAudioPayloadType} !`,
    toMouth(audioOut),
    `audiotestsrc is-live=true wave=silence ! audio/x-raw,rate=48000,channels=1 ! queue ! sound${listener}.`,
    ...others.map((other) => `voice${other}. ! queue leaky=downstream max-size-time=100000000 ! sound${listener}.`),
  ].join(' ');
}

/** The arguments of `gst-launch-1.0` for a room with these ports; pure. */
export function mixerArguments(ports: MixerPorts, format: MixerFormat = compositeFormat): readonly string[] {
  const tiles = gridTiles(ports.members.length, format.width, format.height);
  const inputs = ports.members.flatMap((member, index) => {
    const tile = tiles[index] ?? { x: 0, y: 0, width: 2, height: 2 };
    const voice = memberVoice(member, index);
    return format.soundOnly ? [voice] : [memberPicture(member, index, tile), voice];
  });
  const parts = [
    ...inputs,
    ...(format.soundOnly ? [] : [sharedPicture(ports, format, tiles)]),
    ...ports.members.map(({ audioOut }, index) => soundFor(index, audioOut, ports, format)),
  ];
  return ['-q', ...parts.join(' ').split(' ')];
}
