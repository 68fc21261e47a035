import { z } from 'zod';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { processOption } from '../process-option.js';
import type { ServerKind } from '../server-kind.js';
import { placeIn, unreadableAddress } from '../sockets/place-in-url.js';
import { whipAbilities } from './abilities.js';
import { heldToStandard, serverSettings, speakerOfAll, whipServerOf } from './make-server.js';
import { type Product, products } from './products.js';
import { restartIceOption, strictOption } from './whip-flags.js';

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
