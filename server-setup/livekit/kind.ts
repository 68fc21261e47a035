import { z } from 'zod';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { spatialParts } from '../../model/layer.js';
import { processOption } from '../process-option.js';
import type { ServerKind } from '../server-kind.js';
import { liveKitAbilities } from './abilities.js';
import { keyNames, missingKeys, tokensBy } from './access-token.js';
import { agentOption, connectionCounts, connectionsOption, tokenOption } from './livekit-flags.js';
import { liveKitOfWebSocket, liveKitSchemes, parseLiveKitUrl } from './livekit-url.js';

const settings = z.object({
  process: z.string().optional(),
  tokenCommand: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  /** Absent: two. */
  connections: z.enum(connectionCounts).optional(),
});

export const liveKitKind: ServerKind = {
  name: 'livekit',
  inWords: 'a LiveKit',
  nature: 'product',
  place: {
    by: 'address',
    schemes: liveKitSchemes,
    form: 'livekit://HOST:PORT',
    example: 'livekit://10.0.0.5:7880',
    hostOf: (url) => parseLiveKitUrl(url).host,
    ofWebSocket: liveKitOfWebSocket,
  },
  options: [tokenOption, connectionsOption, agentOption, processOption],
  abilities: liveKitAbilities,
  settings,
  programs: [],
  environment: [
    { name: keyNames.key, about: 'a key of a LiveKit, of which tokens of participants are made' },
    { name: keyNames.secret, about: 'the secret of that key' },
  ],
  missing: (server, env) => (settings.parse(server).tokenCommand === undefined ? missingKeys(env) : undefined),
  subscribing: (server) => (settings.parse(server).connections === 'one' ? 'same' : 'one'),
  planned: ({ url = '' }) => url,
  make: async ({ plan, server, env = {} }) => {
    const { LiveKitServer } = await loaded();
    const { url = '' } = server;
    const { width, height, videoKbps, videoCodec } = plan.media;
    const layers = spatialParts(plan.media);
    const { process, tokenCommand, connections, agent } = settings.parse(server);
    return new LiveKitServer({
      url,
      tokens: () => tokensBy(env, url, tokenCommand),
      picture: { width, height, videoKbps, codec: videoCodec.toLowerCase(), ...given({ layers }) },
      ...given({ process, connections, agent }),
    });
  },
};

/** Loaded late, and its messages are optional: whoever measures another server needs none of them. */
async function loaded() {
  try {
    return await import('./livekit-server.js');
  } catch (cause) {
    throw new LoadlineError('E_SERVER_PROTOCOL', "LiveKit's own messages are not installed.", {
      where: '@livekit/protocol',
      why: messageOf(cause),
      todo: 'run "npm ci" without leaving out optional packages',
      cause,
    });
  }
}
