import { videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import type { ServerOption } from '../server-kind.js';
import { checkedApp } from './app-address.js';

/** Nobody speaks to the app's media server but the app: what it is like is for its process and its host to show. */
export const webAppAbilities: ServerAbilities = {
  shapes: ['own-page'],
  severalStreams: true,
  records: false,
  tellsResources: true,
  reset: 'not-provable',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};

export const webAppWord = 'web-app';

export const addressOption: ServerOption = {
  flags: [
    {
      flag: '--url <url>',
      everyday: true,
      help: 'web-app: its address, with {session}, {participant}, {role} and {index} where they go',
    },
  ],
  follows: [{ setting: 'url', flag: '--url' }],
  read: ({ server, url }) => {
    if (url !== undefined) return { url: checkedApp(String(url)) };
    if (server !== webAppWord) return {};
    throw new LoadlineError('E_USAGE', 'The address of the web app is missing.', {
      where: '--url',
      todo: { give: { '--url': 'https://meet.example/{session}?name={participant}' } },
    });
  },
  refusal: ({ place }, address) => ({
    text: '--url is for web apps that are visited.',
    why: `the server is ${address}`,
    instead: { measure: 'visit', leave: place.by === 'start' ? [] : ['--server'] },
  }),
};
