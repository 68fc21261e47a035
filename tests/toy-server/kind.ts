import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import type { ServerFacts } from '../../model/run.js';
import { sourcesOf } from '../../model/scenario.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { type Echo, echo } from './echo.js';

const settings = z.object({ rooms: z.number().int().positive().optional() });

const abilities: ServerAbilities = {
  shapes: ['forward'],
  audioMix: false,
  records: false,
  tellsResources: false,
  tellsSessions: false,
  capsRates: false,
  reset: 'not-provable',
  turn: false,
  codecs: { forwards: ['VP8'], mixes: [], records: [] },
};

/** A kind of media server that exists in tests alone: it makes every offer itself, and echoes. */
export const toyKind: ServerKind = {
  name: 'toy',
  inWords: 'the toy',
  nature: 'product',
  place: {
    by: 'address',
    schemes: ['toy'],
    form: 'toy://HOST',
    example: 'toy://10.0.0.5',
    hostOf: (url) => new URL(url).hostname,
  },
  options: [
    {
      flags: [{ flag: '--toy-rooms <n>', help: 'how many rooms the toy has', shape: z.number() }],
      read: ({ toyRooms }) => (toyRooms === undefined ? {} : { rooms: Number(toyRooms) }),
      refusal: (_, address) => ({ text: '--toy-rooms is for the toy only.', why: `${address} is none` }),
    },
  ],
  abilities,
  settings,
  programs: [{ file: 'toy-box', name: 'a toy box', neededFor: 'putting the toy away', install: 'buy one' }],
  planned: (server) => `${server.url} with ${settings.parse(server).rooms ?? 'any number of'} rooms`,
  make: async ({ server }) => toyServer(server.url ?? '', () => false),
};

/** @param isStarved the streams to which it sends nothing now. */
export function toyServer(url: string, isStarved: (stream: string) => boolean): MediaServer {
  const facts: ServerFacts = {
    kind: 'toy',
    nature: 'product',
    name: 'toy 1.2',
    version: '1.2',
    url,
    sameHost: true,
    abilities,
  };
  return {
    start: async () => facts,
    openSession: async () => {
      const echoes: Echo[] = [];
      return {
        begin: async ({ leg }) => {
          const streams = sourcesOf(leg).flatMap((source) => ('mix' in source ? [] : source.participant));
          const one = await echo(streams, isStarved);
          echoes.push(one);
          return one.offers;
        },
        join: () => Promise.reject(new LoadlineError('E_SERVER_REFUSED', 'The toy makes the offer itself.')),
        close: async () => {
          await Promise.all(echoes.map((one) => one.close()));
        },
      };
    },
    reset: async () => ({ how: 'not-provable', tookMs: 0 }),
    stop: async () => undefined,
    onEvent: () => undefined,
  };
}
