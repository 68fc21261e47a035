import { z } from 'zod';
import { given } from '../../model/given.js';
import { subscribings } from '../../model/subscribing.js';
import { processOption } from '../process-option.js';
import type { ServerKind } from '../server-kind.js';
import { janusAbilities } from './abilities.js';
import { adminOption, subscribeOption, usualSubscribing } from './janus-flags.js';
import { secretNames } from './janus-options.js';
import { janusOfWebSocket, janusSchemes, parseJanusUrl } from './janus-url.js';

const settings = z.object({
  /** Absent: the usual way, one connection for all. */
  subscribe: z.enum(subscribings).optional(),
  adminUrl: z.string().min(1).optional(),
  process: z.string().optional(),
});

export const janusKind: ServerKind = {
  name: 'janus',
  inWords: 'a Janus',
  nature: 'product',
  place: {
    by: 'address',
    schemes: janusSchemes,
    form: 'janus://HOST:PORT',
    example: 'janus://10.0.0.5:8188',
    hostOf: (url) => parseJanusUrl(url).host,
    ofWebSocket: janusOfWebSocket,
  },
  options: [subscribeOption, adminOption, processOption],
  abilities: janusAbilities,
  settings,
  programs: [],
  environment: [
    { name: secretNames.api, about: 'the api_secret of a Janus that asks for one' },
    { name: secretNames.admin, about: 'the admin_secret of its Admin API' },
    { name: secretNames.roomKey, about: 'the admin_key of its plugins, for making rooms' },
  ],
  subscribing: (server) => settings.parse(server).subscribe ?? usualSubscribing,
  planned: ({ url = '' }) => url,
  make: async ({ plan, server, env = {} }) => {
    const { JanusServer } = await import('./janus-server.js');
    const { adminUrl, process } = settings.parse(server);
    const [api, admin, roomKey] = [env[secretNames.api], env[secretNames.admin], env[secretNames.roomKey]];
    return new JanusServer({
      url: server.url ?? '',
      maxVideoKbps: plan.media.videoKbps,
      videoCodec: plan.media.videoCodec.toLowerCase(),
      ...given({ adminUrl, process }),
      record: plan.record === true,
      secrets: { api, admin, roomKey },
    });
  },
};
