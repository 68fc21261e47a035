import { z } from 'zod';
import { type VideoCodec, videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { processOption } from '../process-option.js';
import type { ServerKind } from '../server-kind.js';
import { placeIn, unreadableAddress } from '../sockets/place-in-url.js';
import { whipAbilities } from './abilities.js';
import { streamPlace } from './endpoint-url.js';
import { heldToStandard, serverSettings, speakerOfAll, whipServerOf } from './make-server.js';
import { restartIceOption, strictOption } from './whip-flags.js';

/** A server of WHIP and WHEP that is known by name: where its endpoints are, and what it takes there. */
interface Product {
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
const products: readonly Product[] = [
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

const settings = z.object(serverSettings);

/** Servers of WHIP and WHEP by their names: an address fills in the rest. */
export const productKinds: readonly ServerKind[] = products.map(kindOf);

function kindOf(product: Product): ServerKind {
  const { name, inWords, port, codecs, token, rids, passesPayloads } = product;
  const parsed = (url: string) => placeOf(product, url);
  const abilities: ServerAbilities = {
    ...whipAbilities,
    shapes: ['forward'],
    codecs: { ...whipAbilities.codecs, forwards: codecs },
    ...(rids ? { simulcastRids: rids } : {}),
    ...(passesPayloads ? { passesPayloads } : {}),
  };
  const told = { kind: name, ...(token === undefined ? {} : { usualToken: token }) };
  return {
    name,
    inWords,
    nature: 'product',
    place: {
      by: 'address',
      schemes: [name, `${name}+https`],
      form: `${name}://HOST`,
      example: `${name}://10.0.0.5:${port}`,
      hostOf: (url) => parsed(url).host,
    },
    options: [strictOption, restartIceOption, processOption],
    abilities,
    settings,
    programs: [],
    subscribing: () => 'each',
    planned: ({ url = '' }) => `${inWords}: published at ${parsed(url).whip} and viewed at ${parsed(url).whep}`,
    speaker: speakerOfAll,
    conformance: (order) => heldToStandard({ ...order, address: parsed(order.server.url ?? '').whip, ...told }),
    make: ({ plan, server, env = {} }) => {
      const { whip, whep } = parsed(server.url ?? '');
      return whipServerOf(plan, { addresses: { whip, whep }, env, ...settings.parse(server), ...told, abilities });
    },
  };
}

/** Throws E_SERVER_URL. */
function placeOf({ name, port: usual, whip, whep }: Product, address: string) {
  const [, secure, rest = ''] = /^[a-z0-9-]+(\+https)?:\/\/(.*)$/i.exec(address) ?? [];
  const forms = `${name}://HOST or ${name}://HOST:PORT, or ${name}+https:// for TLS`;
  const unreadable = unreadableAddress(address, `write ${forms}; --server whip takes any other addresses`);
  const { url, port, host } = placeIn(rest, usual, unreadable);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw unreadable('nothing may follow the port');
  if (url.username !== '' || url.password !== '') throw unreadable('a login belongs into the environment, not here');
  const origin = `${secure === undefined ? 'http' : 'https'}://${url.hostname}:${port}`;
  return { host, whip: `${origin}${whip}`, whep: `${origin}${whep}` };
}
