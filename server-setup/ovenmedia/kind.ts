import type { ServerKind } from '../server-kind.js';
import { streamKind } from '../stream-sockets/stream-kind.js';
import { queryName } from './oven-words.js';

/** An OvenMediaEngine, by the signalling of its own players and publishers. */
export const ovenMediaKind: ServerKind = streamKind({
  name: 'ovenmedia',
  inWords: 'an OvenMediaEngine',
  ports: { plain: 3333, secure: 3334 },
  application: 'app',
  path: '',
  namesTurn: true,
  environment: [
    {
      name: queryName,
      about: 'what an OvenMediaEngine wants behind ? in its addresses, such as what its admission webhook reads',
    },
  ],
  door: async (application, env) => (await import('./oven-door.js')).ovenDoor(application, env),
});
