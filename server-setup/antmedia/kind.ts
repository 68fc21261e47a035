import type { ServerKind } from '../server-kind.js';
import { streamKind } from '../stream-sockets/stream-kind.js';
import { tokenName } from './ant-words.js';

/** An Ant Media Server, by the signalling of its own clients. */
export const antMediaKind: ServerKind = streamKind({
  name: 'antmedia',
  inWords: 'an Ant Media Server',
  ports: { plain: 5080, secure: 5443 },
  application: 'live',
  path: '/websocket',
  environment: [{ name: tokenName, about: 'the token that publishers and viewers show to an Ant Media Server' }],
  door: async (application, env) => (await import('./ant-door.js')).antDoor(application, env),
});
