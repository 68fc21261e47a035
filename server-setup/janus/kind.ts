import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { processOption } from '../process-option.js';
import type { ServerKind, ServerOption } from '../server-kind.js';
import { janusAbilities } from './abilities.js';
import { secretNames } from './janus-options.js';
import { janusOfWebSocket, janusSchemes, parseJanusUrl } from './janus-url.js';

const subscribings = ['one', 'each'] as const;

/** What today's apps do: one connection for whatever a participant receives. */
const usualSubscribing: (typeof subscribings)[number] = 'one';

/** By how many connections a participant receives. */
const subscribeOption: ServerOption = {
  flags: [
    {
      flag: '--subscribe <how>',
      help: 'janus: receive all others over one connection, or each over one of its own',
      fallback: usualSubscribing,
      shape: z.enum(subscribings, { error: 'must be one or each' }),
    },
  ],
  read: ({ subscribe = usualSubscribing }) => {
    if (!subscribings.some((one) => one === subscribe)) {
      throw new LoadlineError('E_USAGE', `--subscribe must be one or each, not "${subscribe}".`, {
        where: '--subscribe',
        todo: { write: { '--subscribe': 'each' } },
      });
    }
    return subscribe === usualSubscribing ? {} : { subscribe: String(subscribe) };
  },
  refusal: ({ inWords, subscribing }, address) => ({
    text: '--subscribe is for a Janus.',
    why: subscribing ? `on ${inWords} there is one way to receive` : `${address} is none`,
  }),
};

const adminPattern = /^wss?:\/\/[^/?#@]+/i;
const adminError = 'must be the address of a WebSocket';

/** Where the Admin API is; its secret comes from the environment. */
const adminOption: ServerOption = {
  flags: [
    {
      flag: '--janus-admin <url>',
      help: 'where the Admin API of a Janus is (default: ws://HOST:7188)',
      shape: z.string({ error: adminError }).regex(adminPattern, { error: adminError }),
    },
  ],
  follows: [{ setting: 'adminUrl', flag: '--janus-admin' }],
  reaches: true,
  read: ({ janusAdmin }) => {
    if (janusAdmin === undefined) return {};
    const url = String(janusAdmin);
    if (!adminPattern.test(url)) {
      throw new LoadlineError('E_USAGE', `--janus-admin ${adminError}, not "${url}".`, {
        where: '--janus-admin',
        todo: { write: { '--janus-admin': 'ws://10.0.0.5:7188' } },
      });
    }
    return { adminUrl: url };
  },
  refusal: (_, address) => ({ text: '--janus-admin is for a Janus.', why: `${address} is none` }),
};

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
      ...given({ adminUrl, process, svc: plan.media.svc?.mode }),
      record: plan.record === true,
      secrets: { api, admin, roomKey },
    });
  },
};
