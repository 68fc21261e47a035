import { tmpdir } from 'node:os';
import { hasProgram } from '../../host/has-program.js';
import { LoadlineError } from '../../model/errors.js';
import type { Plan } from '../../model/plan.js';
import { ownTurn } from '../../model/turn.js';
import { CoturnRelay, coturnInstallCommand } from '../../server-setup/turn/coturn-relay.js';
import { givenRelay } from '../../server-setup/turn/given-relay.js';
import { ownRelay } from '../../server-setup/turn/own-relay.js';
import { relayAddressTowards } from '../../server-setup/turn/relay-address.js';
import type { TurnRelay } from '../../server-setup/turn/turn-relay.js';
import { turnsOf } from '../options/turn-flags.js';
import type { ToolProcess } from '../process.js';

/** Where a server is that the run starts. */
const loopback = '127.0.0.1';

/** Makes sure that what the plan asks for can be had. Throws E_TURN_MISSING, E_TURN_UNREACHABLE with what to do. */
export async function ensureTurn({ turn }: Plan, { env }: ToolProcess): Promise<void> {
  if (!turn || turn.server === ownTurn) return;
  if (turn.server !== undefined) {
    turnsOf(env, turn);
    return;
  }
  if (await hasProgram('turnserver', env.PATH)) return;
  throw new LoadlineError('E_TURN_MISSING', 'There is no coturn to relay the probes.', {
    where: '--turn',
    why: 'no program "turnserver" was found in PATH',
    todo: `run "${coturnInstallCommand}", or name a TURN server that is there with --turn-server`,
  });
}

/**
 * Starts nothing; `undefined` when probes go directly.
 *
 * @param server the host of the media server; undefined when the run starts it
 */
export function relayOf({ turn }: Plan, server: string | undefined, { env }: ToolProcess): TurnRelay | undefined {
  if (!turn) return undefined;
  if (turn.server === ownTurn) return ownRelay(turn.protocol);
  if (turn.server !== undefined) return givenRelay(turnsOf(env, turn));
  const relayAddress = async (): Promise<string> => (server === undefined ? loopback : relayAddressTowards(server));
  return new CoturnRelay({ protocol: turn.protocol, relayAddress, temporaryRoot: tmpdir() });
}
