import { z } from 'zod';
import { processOption } from '../process-option.js';
import { restartOption } from '../restart-option.js';
import type { ServerKind } from '../server-kind.js';
import { hostOfApp } from './app-address.js';
import { addressOption, webAppAbilities, webAppWord } from './app-flags.js';

const settings = z.object({
  /** A process number, or `port:` with the port that it listens on. */
  process: z.string().optional(),
  restartCommand: z.string().optional(),
});

/** Any web app with WebRTC in it: participants visit its page, and nobody asks its media server anything. */
export const webAppKind: ServerKind = {
  name: webAppWord,
  inWords: 'the web app',
  nature: 'product',
  place: {
    by: 'option',
    form: `${webAppWord} --url URL`,
    example: 'https://meet.example/{session}?name={participant}',
    hostOf: hostOfApp,
    option: addressOption,
  },
  options: [addressOption, processOption, restartOption],
  abilities: webAppAbilities,
  settings,
  programs: [],
  environment: [
    { name: 'LOADLINE_APP_USER', about: 'a name for a visited app that asks for one by HTTP (basic, digest)' },
    { name: 'LOADLINE_APP_PASSWORD', about: 'the password of that name' },
  ],
  planned: ({ url = '' }) => `the web app at ${url}, as its page shows it`,
  make: async ({ server }) => {
    const { WebApp } = await import('./web-app.js');
    return new WebApp({ url: server.url ?? '', ...settings.parse(server) });
  },
};
