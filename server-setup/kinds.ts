import { antMediaKind } from './antmedia/kind.js';
import { embeddedKind } from './embedded/kind.js';
import { janusKind } from './janus/kind.js';
import { kurentoKind } from './kurento/kind.js';
import { liveKitKind } from './livekit/kind.js';
import { ovenMediaKind } from './ovenmedia/kind.js';
import type { ServerKind } from './server-kind.js';
import { webAppKind } from './web-app/kind.js';
import { whipKind } from './whip/kind.js';
import { productKinds } from './whip/product-kinds.js';

/**
 * Every kind of media server that `--server` can name, the usual one first. A simulated server is none of them: it has
 * no address, brings its own probes and clock, and is asked for by a command of its own (`loadline simulate`).
 */
export const serverKinds: readonly ServerKind[] = [
  embeddedKind,
  kurentoKind,
  janusKind,
  liveKitKind,
  whipKind,
  ...productKinds,
  ovenMediaKind,
  antMediaKind,
  webAppKind,
];
