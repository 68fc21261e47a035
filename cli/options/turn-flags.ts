import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { TurnPlan } from '../../model/plan.js';
import { turnProtocols } from '../../model/turn.js';
import type { TurnSecrets } from '../../server-setup/turn/credentials.js';
import { parseTurnUrl } from '../../server-setup/turn/turn-url.js';
import type { Env } from '../process.js';
import { type WrittenFlags, word } from './written.js';

/** The way through a TURN server, as words. */
export interface TurnFlags {
  readonly turn?: string;
  readonly turnServer?: string;
}

/** How the values of these flags are written. */
export const turnValues = { turn: word(turnProtocols, 'must be udp, tcp or tls') } as const satisfies WrittenFlags;

export function addTurnFlags(command: Command): Command {
  return command
    .option('--turn <protocol>', 'probes go through TURN alone, over udp, tcp or tls; starts a coturn here')
    .option('--turn-server <url>', 'the TURN server to use instead: turn:HOST:3478?transport=tcp, turns:HOST:5349');
}

/** What is wanted of them together; undefined without either. Throws E_USAGE, E_TURN_URL. */
export function readTurn({ turn, turnServer }: TurnFlags): TurnPlan | undefined {
  const asked = turn === undefined ? undefined : turnValues.turn.read(turn, '--turn');
  if (turnServer === undefined) return asked && { protocol: asked };
  const { protocol, url } = parseTurnUrl(turnServer);
  if (asked === undefined || asked === protocol) return { protocol, server: url };
  throw new LoadlineError('E_USAGE', `--turn ${asked} and --turn-server ask for different protocols.`, {
    where: '--turn, --turn-server',
    why: `${turnServer} is reached over ${protocol}`,
    todo: 'leave --turn out: the address says it (turn: is udp, turn:…?transport=tcp is tcp, turns: is tls)',
  });
}

/** How a TURN server that is there already knows its users. Throws E_TURN_UNREACHABLE when nothing says it. */
export function readTurnSecrets(env: Env, server: string): TurnSecrets {
  const { LOADLINE_TURN_SECRET: secret, LOADLINE_TURN_USER: username, LOADLINE_TURN_PASSWORD: password } = env;
  if (secret) return { kind: 'shared', secret };
  if (username && password) return { kind: 'account', username, password };
  throw new LoadlineError('E_TURN_UNREACHABLE', `There are no credentials for the TURN server ${server}.`, {
    where: 'LOADLINE_TURN_SECRET, LOADLINE_TURN_USER, LOADLINE_TURN_PASSWORD',
    why: username || password ? 'one of user and password is missing' : 'none of these environment variables is set',
    todo: 'set LOADLINE_TURN_SECRET to the secret that it shares (coturn: static-auth-secret), or LOADLINE_TURN_USER and LOADLINE_TURN_PASSWORD to an account of it',
  });
}
