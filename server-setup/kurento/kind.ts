import { z } from 'zod';
import { given } from '../../model/given.js';
import { processOption } from '../process-option.js';
import { restartOption } from '../restart-option.js';
import type { ServerKind } from '../server-kind.js';
import { kurentoAbilities } from './abilities.js';
import { parseServerUrl } from './server-url.js';

const settings = z.object({
  /** Shell command that starts the server anew before each trial; absent: what was made on it is released. */
  restartCommand: z.string().min(1).optional(),
  process: z.string().optional(),
});

/** A Kurento media server that is there, or anything that speaks as one. */
export const kurentoKind: ServerKind = {
  name: 'kurento',
  inWords: 'a Kurento',
  nature: 'product',
  place: {
    by: 'address',
    schemes: ['kurento', 'ws', 'wss'],
    form: 'kurento://HOST:PORT',
    example: 'kurento://10.0.0.5:8888',
    hostOf: (url) => parseServerUrl(url).host,
  },
  options: [restartOption, processOption],
  abilities: kurentoAbilities,
  settings,
  programs: [],
  planned: ({ url = '' }) => url,
  make: async ({ plan, server }) => {
    const { KurentoServer } = await import('./kurento-server.js');
    const { restartCommand, process } = settings.parse(server);
    return new KurentoServer({
      url: server.url ?? '',
      maxVideoKbps: plan.media.videoKbps,
      record: plan.record === true,
      ...given({ restartCommand, process }),
    });
  },
};
