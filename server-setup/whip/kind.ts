import { z } from 'zod';
import { given } from '../../model/given.js';
import type { ServerKind } from '../server-kind.js';
import { whipAbilities } from './abilities.js';
import { headerNames, tokenNames } from './credentials.js';
import { hostOfEndpoint, streamPlace } from './endpoint-url.js';
import { endpointsOption, strictOption, whipWord } from './whip-flags.js';

const settings = z.object({
  /** Where streams are viewed; `url` is where they are published. */
  whep: z.string().min(1).optional(),
  /** What the standard forbids is an error. */
  strict: z.boolean().optional(),
});

/** Of the time that a probe has to join: a server that is silent is then named before the probe gives up. */
const requestShare = 0.9;
/** The same for a stream that is not there: what is left is for ICE, DTLS and the first frame. */
const streamShare = 0.7;

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
  options: [endpointsOption, strictOption],
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
  speaker: async () => (await import('./speaker.js')).whipSpeaker,
  make: async ({ plan, server, env = {} }) => {
    const { WhipServer } = await import('./whip-server.js');
    const url = server.url ?? '';
    const { whep = url, strict } = settings.parse(server);
    const { joinMsMax } = plan.thresholds;
    return new WhipServer({
      addresses: { whip: url, whep },
      env,
      requestTimeoutMs: joinMsMax * requestShare,
      streamWithinMs: joinMsMax * streamShare,
      spokenByHosts: plan.hosts?.spokenBy === 'hosts',
      ...given({ strict }),
    });
  },
};
