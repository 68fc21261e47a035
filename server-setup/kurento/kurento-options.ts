import { z } from 'zod';
import { type ListingOptions, listingDefaults } from '../listing-server.js';
import type { Expected } from '../sockets/open-socket.js';

export interface KurentoOptions extends ListingOptions {
  /** What the server wants to see of whoever connects; left out: nothing but what the address holds. */
  readonly token?: string;
  /** Cap of the video rate in both directions, kbit/s; left out: the server's own default (Kurento: 500). */
  readonly maxVideoKbps?: number;
  /** The server's process, when it is on this host and known already. */
  readonly pid?: number;
  /** Shell command that starts the server anew in each reset; left out: it is never restarted. */
  readonly restartCommand?: string;
  /** How long a restart may take. Default 30 s. */
  readonly restartWithinMs?: number;
}

/** What holds where nothing else is said. */
export const kurentoDefaults = { ...listingDefaults, restartWithinMs: 30_000 };

/** Who is expected where one is named. */
export const aKurento: Expected = {
  inWords: 'a Kurento media server',
  named: '--server kurento://host:port; ws:// means Kurento, and loadline help servers lists the others',
  todo: 'check port and path; Kurento listens on port 8888, path /kurento, unless told otherwise. ws:// means Kurento; loadline help servers has the addresses of other kinds',
};

export const serverManagerId = 'manager_ServerManager';

export const infoSchema = z.object({
  type: z.literal('KMS'),
  version: z.string(),
  modules: z.array(z.looseObject({ factories: z.array(z.string()) })).optional(),
});

export type KurentoInfo = z.infer<typeof infoSchema>;
