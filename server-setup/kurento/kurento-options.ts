import { z } from 'zod';
import type { Expected } from '../sockets/open-socket.js';

export interface KurentoOptions {
  /** `kurento://host:8888`, `ws://…` or `wss://…`. */
  readonly url: string;
  /** What the server wants to see of whoever connects; left out: nothing but what the address holds. */
  readonly token?: string;
  /** How long any one request may take. Default 10 s. */
  readonly requestTimeoutMs?: number;
  /** How long connecting and finding out what is there may take. Default 4 s. */
  readonly connectTimeoutMs?: number;
  /** Cap of the video rate in both directions, kbit/s; left out: the server's own default (Kurento: 500). */
  readonly maxVideoKbps?: number;
  /** The server's process, when it is on this host; left out: found by its port. */
  readonly pid?: number;
  /** Which process of this host it is, as of `namedProcess`; left out: as of `pid`. */
  readonly process?: string;
  /** How long a reset may take. Default 10 s. */
  readonly cleanWithinMs?: number;
  /** How long its CPU may take to come to rest in a reset. Default 15 s. */
  readonly idleWithinMs?: number;
  /** Shell command that starts the server anew in each reset; left out: it is never restarted. */
  readonly restartCommand?: string;
  /** How long a restart may take. Default 30 s. */
  readonly restartWithinMs?: number;
  /** Record what each participant sends. */
  readonly record?: boolean;
}

/** What holds where nothing else is said. */
export const kurentoDefaults = {
  requestTimeoutMs: 10_000,
  connectTimeoutMs: 4000,
  cleanWithinMs: 10_000,
  idleWithinMs: 15_000,
  restartWithinMs: 30_000,
};

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
