import { z } from 'zod';
import { processOption } from '../process-option.js';
import type { ServerKind } from '../server-kind.js';
import { whipAbilities } from './abilities.js';
import { headerNames, tokenNames } from './credentials.js';
import { hostOfEndpoint, streamPlace } from './endpoint-url.js';
import { heldToStandard, serverSettings, speakerOfAll, whipServerOf } from './make-server.js';
import { endpointsOption, restartIceOption, strictOption, whipWord } from './whip-flags.js';

const settings = z.object({
  /** Where streams are viewed; `url` is where they are published. */
  whep: z.string().min(1).optional(),
  ...serverSettings,
});

/** Any server that speaks WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep). */
export const whipKind: ServerKind = {
  name: whipWord,
  inWords: 'a WHIP server',
  nature: 'product',
  place: {
    by: 'option',
    form: `${whipWord} --whip URL --whep URL`,
    example: `https://10.0.0.5/${streamPlace}/whip`,
    hostOf: hostOfEndpoint,
    option: endpointsOption,
  },
  options: [endpointsOption, strictOption, restartIceOption, processOption],
  abilities: whipAbilities,
  settings,
  programs: [],
  environment: [
    { name: tokenNames.whip, about: 'a bearer token for the address of --whip' },
    { name: tokenNames.whep, about: 'a bearer token for the address of --whep' },
    { name: headerNames.whip, about: 'a header for the address of --whip instead: "Name: value"' },
    { name: headerNames.whep, about: 'a header for the address of --whep instead' },
  ],
  subscribing: () => 'each',
  planned: ({ url = '', ...rest }) => `streams published at ${url} and viewed at ${settings.parse(rest).whep ?? url}`,
  speaker: speakerOfAll,
  conformance: (order) => heldToStandard({ ...order, address: order.server.url ?? '' }),
  make: ({ plan, server, env = {} }) => {
    const url = server.url ?? '';
    const { whep = url, ...asked } = settings.parse(server);
    return whipServerOf(plan, { addresses: { whip: url, whep }, env, ...asked });
  },
};
