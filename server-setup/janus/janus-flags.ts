import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { type Subscribing, subscribings } from '../../model/subscribing.js';
import type { ServerOption } from '../server-kind.js';

/** What today's apps do: one connection for whatever a participant receives. */
export const usualSubscribing: Subscribing = 'one';

/** By how many connections a participant receives. */
export const subscribeOption: ServerOption = {
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
        todo: 'write for example --subscribe each',
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
export const adminOption: ServerOption = {
  flags: [
    {
      flag: '--janus-admin <url>',
      help: 'where the Admin API of a Janus is (default: ws://HOST:7188)',
      shape: z.string({ error: adminError }).regex(adminPattern, { error: adminError }),
    },
  ],
  follows: [{ setting: 'adminUrl', flag: '--janus-admin' }],
  read: ({ janusAdmin }) => {
    if (janusAdmin === undefined) return {};
    const url = String(janusAdmin);
    if (!adminPattern.test(url)) {
      throw new LoadlineError('E_USAGE', `--janus-admin ${adminError}, not "${url}".`, {
        where: '--janus-admin',
        todo: 'write for example --janus-admin ws://10.0.0.5:7188',
      });
    }
    return { adminUrl: url };
  },
  refusal: (_, address) => ({ text: '--janus-admin is for a Janus.', why: `${address} is none` }),
};
