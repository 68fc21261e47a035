import type { OfferedCodec } from '../../rtp/sdp.js';

/** Parameters that must agree for a packet of one side to be decodable by the other (RFC 6184 8.2.2, RFC 9628 6). */
const telling: Readonly<Record<string, readonly string[]>> = {
  h264: ['packetization-mode', 'profile-level-id'],
  vp9: ['profile-id'],
  av1: ['profile'],
};

/** What two endpoints compare to find the payload types that mean the same codec. */
export function codecKey(codec: OfferedCodec): string {
  const name = codec.name.toLowerCase();
  const parameters = new Map((codec.fmtp ?? '').split(';').map((pair) => splitPair(pair.trim())));
  const told = (telling[name] ?? []).map((key) => {
    const value = parameters.get(key) ?? '0';
    // The last byte of an H.264 profile-level-id is the level, which may differ.
    return key === 'profile-level-id' ? value.slice(0, 4).toLowerCase() : value;
  });
  return [name, codec.clockRate, ...told].join('/');
}

function splitPair(pair: string): [string, string] {
  const [key = '', value = ''] = pair.split('=');
  return [key.toLowerCase(), value];
}
