import { LoadlineError } from '../../model/errors.js';
import type { TurnPlan } from '../../model/plan.js';
import { ownTurn, turnProtocols } from '../../model/turn.js';
import type { TurnSecrets } from '../../server-setup/turn/credentials.js';
import type { GivenTurn } from '../../server-setup/turn/given-relay.js';
import { readNamedTurns } from '../../server-setup/turn/named-turn.js';
import type { Env } from '../process.js';
import type { Flags, ValuesOf } from './flag.js';
import { word } from './written.js';

export const turnFlags = {
  turn: {
    takes: 'protocol',
    about: 'probes go through TURN alone, over udp, tcp or tls; starts a coturn here',
    value: word(turnProtocols),
  },
  turnServer: {
    takes: 'url',
    about:
      'the TURN server to use instead: turn:HOST:3478?transport=tcp, turns:HOST:5349, FILE.json of a provider, or own: the one that the media server names',
    value: { read: (text: string) => (text === ownTurn ? ownTurn : readNamedTurns(text)) },
    onResume: 'again',
  },
} as const satisfies Flags;

/** What is wanted of them together; undefined without either. Throws E_USAGE. */
export function turnOf({ turn: asked, turnServer }: ValuesOf<typeof turnFlags>): TurnPlan | undefined {
  if (turnServer === undefined) return asked && { protocol: asked };
  if (turnServer === ownTurn) return { protocol: asked ?? 'udp', server: ownTurn };
  const { text, servers } = turnServer;
  // All probes go over one protocol.
  const first = servers.find(({ address }) => asked === undefined || asked === address.protocol);
  // The plan of one address has it in full.
  if (first !== undefined)
    return { protocol: first.address.protocol, server: first.secrets === undefined ? first.address.url : text };
  throw new LoadlineError('E_USAGE', `--turn ${asked} and --turn-server ask for different protocols.`, {
    where: '--turn, --turn-server',
    why: `${servers.map(({ address: { url, protocol } }) => `${url} is reached over ${protocol}`).join(', ')}; turn: is udp, turn:…?transport=tcp is tcp, turns: is tls`,
    todo: { leave: ['--turn'] },
  });
}

/** Those of the plan's protocol, in their order. Throws E_TURN_UNREACHABLE if nothing says how they know users. */
export function turnsOf(env: Env, { server, protocol }: TurnPlan): readonly GivenTurn[] {
  const { servers } = readNamedTurns(server ?? '');
  return servers
    .filter(({ address }) => address.protocol === protocol)
    .map(({ address, secrets }) => ({ address, secrets: secrets ?? readTurnSecrets(env, address.url) }));
}

function readTurnSecrets(env: Env, server: string): TurnSecrets {
  const { LOADLINE_TURN_SECRET: secret, LOADLINE_TURN_USER: username, LOADLINE_TURN_PASSWORD: password } = env;
  if (secret) return { kind: 'shared', secret };
  if (username && password) return { kind: 'account', username, password };
  throw new LoadlineError('E_TURN_UNREACHABLE', `There are no credentials for the TURN server ${server}.`, {
    where: 'LOADLINE_TURN_SECRET, LOADLINE_TURN_USER, LOADLINE_TURN_PASSWORD',
    why: username || password ? 'one of user and password is missing' : 'none of these environment variables is set',
    todo: 'set LOADLINE_TURN_SECRET to the secret that it shares (coturn: static-auth-secret), or LOADLINE_TURN_USER and LOADLINE_TURN_PASSWORD to an account of it',
  });
}
