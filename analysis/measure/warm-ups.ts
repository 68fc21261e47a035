import { comeAndGo } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';

/** Which trials begin with a warm-up: none, the first on a new server, or each because each has a new server. */
type WarmUps = 'none' | 'first' | 'each';

export function warmUpsOf({ server, timing, load }: Plan): WarmUps {
  // Those who come before the window are its warm-up.
  if (timing.warmUp === false || comeAndGo(load)) return 'none';
  // A simulated server does nothing only once, unless it is to be cold.
  if (server.kind === 'simulated') return server.coldJoinMs === undefined ? 'none' : 'first';
  return 'restartCommand' in server && server.restartCommand !== undefined ? 'each' : 'first';
}
