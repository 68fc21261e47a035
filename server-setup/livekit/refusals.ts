import { LoadlineError } from '../../model/errors.js';
import { shortText } from '../../model/plain-text.js';
import { rightKeys, withoutTokens } from './access-token.js';

interface Meaning {
  readonly said: RegExp;
  /** What it means here; a sentence. */
  readonly means: string;
  readonly todo?: string;
}

/** All that a participant is told whom the room does not take; why, the server says in its log. */
const notTaken = /closed by media/i;

/** What the server says in its answers of HTTP (livekit-server 1.13); the first that fits. */
const meanings: readonly Meaning[] = [
  { said: /expired/i, means: 'The token has expired.', todo: 'set the clocks of this host and of the server right' },
  {
    said: /not valid yet|used before/i,
    means: 'The token is not valid yet.',
    todo: 'set the clocks of both hosts right',
  },
  { said: /invalid API key/i, means: 'It does not know the key.', todo: rightKeys },
  { said: /signature|cryptographic/i, means: 'The secret is wrong.', todo: rightKeys },
  {
    said: /configured limit/i,
    means: 'The server is full.',
    todo: 'raise the values under "limit" in its configuration',
  },
  { said: notTaken, means: 'The room does not take the participant.', todo: 'see the log of the server' },
  { said: /room does not exist/i, means: 'The room is gone.' },
  { said: /permission|unauthenticated|unauthorized/i, means: 'The token does not allow it.', todo: rightKeys },
];

export const isNotTaken = (error: unknown): boolean =>
  error instanceof LoadlineError && error.code === 'E_SERVER_REFUSED' && notTaken.test(error.why ?? '');

/** Where participants with one connection for both ways join. */
export const oneConnectionPath = '/rtc/v1';

export function hasNoOneConnection(where: string): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', 'The LiveKit has no single connection for both ways.', {
    where,
    why: `it answered HTTP 404 at ${oneConnectionPath}, which livekit-server has from 1.9.10 on`,
    todo: 'leave --livekit-connections out, or measure a newer one',
  });
}

export function roomIsFull(where: string, most: number): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', 'The LiveKit refused "join". The room is full.', {
    where,
    why: `it has the ${most} participants that a room of it may have`,
    todo: 'raise max_participants under "room" in its configuration',
  });
}

/** Refused by HTTP, be it a participant or a request of the room service. */
export function refusedByHttp(what: string, where: string, status: number, text: string): LoadlineError {
  const said = withoutTokens(text);
  const found = meanings.find((one) => one.said.test(said));
  return new LoadlineError('E_SERVER_REFUSED', `The LiveKit refused "${what}". ${found?.means ?? ''}`.trim(), {
    where,
    why: `HTTP ${status}: ${shortText(said, 200)}`,
    todo: found?.todo,
  });
}

/** Why a server ends what a participant has, by the names of DisconnectReason in its protocol. */
const reasons: Readonly<Record<string, string>> = {
  DUPLICATE_IDENTITY: 'another participant joined under the same name',
  SERVER_SHUTDOWN: 'the server is shutting down',
  PARTICIPANT_REMOVED: 'it was removed by whoever manages the room',
  ROOM_DELETED: 'the room was deleted',
  ROOM_CLOSED: 'the room was closed',
  STATE_MISMATCH: 'the server does not know it any more',
  JOIN_FAILURE: 'it did not connect in time',
  MIGRATION: 'the server hands it on to another one',
  SIGNAL_CLOSE: 'its signalling connection was closed',
  CONNECTION_TIMEOUT: 'its connection timed out',
  MEDIA_FAILURE: 'its media failed',
};

/** "SERVER_SHUTDOWN: the server is shutting down". */
export function reasonText(name: string): string {
  const words = reasons[name];
  return words === undefined ? name : `${name}: ${words}`;
}
