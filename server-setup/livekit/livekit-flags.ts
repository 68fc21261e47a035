import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import type { ServerOption } from '../server-kind.js';

const example = "--livekit-token-command './token-of-participant'";

/** What makes the tokens where key and secret are not here. */
export const tokenOption: ServerOption = {
  flags: [
    {
      flag: '--livekit-token-command <shell>',
      help: 'livekit: what writes the token of an identity and its grants, in place of key and secret',
      shape: z.string().trim().min(1, { error: 'must be a command' }),
    },
  ],
  follows: [{ setting: 'tokenCommand', flag: '--livekit-token-command', isRun: true }],
  reaches: true,
  read: ({ livekitTokenCommand }) => {
    if (livekitTokenCommand === undefined) return {};
    const tokenCommand = String(livekitTokenCommand).trim();
    if (tokenCommand !== '') return { tokenCommand };
    throw new LoadlineError('E_USAGE', '--livekit-token-command needs a command.', {
      where: '--livekit-token-command',
      todo: `write for example ${example}`,
    });
  },
  refusal: (_, address) => ({ text: '--livekit-token-command is for a LiveKit.', why: `${address} is none` }),
};

export const connectionCounts = ['one', 'two'] as const;

/** By how many connections of media a participant is in its room. */
export type Connections = (typeof connectionCounts)[number];

export const connectionsOption: ServerOption = {
  flags: [
    {
      flag: '--livekit-connections <how many>',
      help: 'livekit: one connection for both ways, as its web client has, or two: one each way',
      fallback: 'two',
      shape: z.enum(connectionCounts, { error: 'must be one or two' }),
    },
  ],
  read: ({ livekitConnections = 'two' }) => {
    if (!connectionCounts.some((one) => one === livekitConnections)) {
      throw new LoadlineError('E_USAGE', `--livekit-connections must be one or two, not "${livekitConnections}".`, {
        where: '--livekit-connections',
        todo: { write: { '--livekit-connections': 'one' } },
      });
    }
    return livekitConnections === 'two' ? {} : { connections: String(livekitConnections) };
  },
  refusal: (_, address) => ({ text: '--livekit-connections is for a LiveKit.', why: `${address} is none` }),
};

export const agentOption: ServerOption = {
  flags: [
    {
      flag: '--livekit-agent <name>',
      help: 'livekit: the agent that is called into rooms where one is to answer (default: the server decides)',
      shape: z.string().trim().min(1, { error: 'must be the name of an agent' }),
    },
  ],
  read: ({ livekitAgent }) => (livekitAgent === undefined ? {} : { agent: String(livekitAgent) }),
  refusal: (_, address) => ({ text: '--livekit-agent is for a LiveKit.', why: `${address} is none` }),
};
