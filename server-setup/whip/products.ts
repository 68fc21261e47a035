import { type VideoCodec, videoCodecs } from '../../model/codec.js';
import { streamPlace } from './endpoint-url.js';

/** A server of WHIP and WHEP that is known by name: where its endpoints are, and what it takes there. */
export interface Product {
  /** Before "://". */
  readonly name: string;
  readonly inWords: string;
  /** Of HTTP, as it comes. */
  readonly port: number;
  readonly whip: string;
  readonly whep: string;
  /** The bearer token, where it says which stream is meant and the environment gives none. */
  readonly token?: string;
  readonly codecs: readonly VideoCodec[];
  /** Forwarded payloads leave as they came: so it was with the versions that were tried. Absent: not known. */
  readonly passesPayloads?: true;
  /** It takes layers by these names, and gives viewers the one that they choose by extensions of WHEP. */
  readonly rids?: readonly [string, string, string];
}

/** Which versions were tried: docs/reference/whip.md. */
export const products: readonly Product[] = [
  {
    name: 'mediamtx',
    inWords: 'a MediaMTX',
    port: 8889,
    whip: `/${streamPlace}/whip`,
    whep: `/${streamPlace}/whep`,
    codecs: videoCodecs,
    passesPayloads: true,
  },
  {
    name: 'live777',
    inWords: 'a live777',
    port: 7777,
    whip: `/whip/${streamPlace}`,
    whep: `/whep/${streamPlace}`,
    codecs: videoCodecs,
    passesPayloads: true,
  },
  {
    name: 'broadcast-box',
    inWords: 'a Broadcast Box',
    port: 8080,
    whip: '/api/whip',
    whep: '/api/whep',
    token: streamPlace,
    codecs: ['H264', 'VP9', 'AV1'],
    rids: ['l', 'm', 'h'],
  },
  {
    name: 'srs',
    inWords: 'an SRS',
    port: 1985,
    whip: `/rtc/v1/whip/?app=live&stream=${streamPlace}`,
    whep: `/rtc/v1/whep/?app=live&stream=${streamPlace}`,
    codecs: ['H264'],
  },
];
