import { createHmac } from 'node:crypto';
import { LoadlineError } from '../../model/errors.js';

/** From the environment, and stored nowhere. */
export interface LiveKitKeys {
  readonly key: string;
  readonly secret: string;
}

/** The variables that they are read from: those of the server's own tools. */
export const keyNames = { key: 'LIVEKIT_API_KEY', secret: 'LIVEKIT_API_SECRET' } as const;

/** What a token allows, in the words of the server's claim `video`. */
export interface Grants {
  readonly room?: string;
  readonly roomJoin?: boolean;
  readonly canPublish?: boolean;
  readonly canSubscribe?: boolean;
  readonly roomCreate?: boolean;
  readonly roomList?: boolean;
}

/** What to do where the server does not take them. */
export const rightKeys = `set ${keyNames.key} and ${keyNames.secret} to a pair under "keys" in the server's configuration`;

/** A token is used at once; so much more is for clocks that differ. */
const validSeconds = 600;

/** A signed token (RFC 7519, HS256) of who asks, for what. */
export function accessToken({ key, secret }: LiveKitKeys, identity: string, grants: Grants, nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  const claims = { iss: key, sub: identity, name: identity, exp: now + validSeconds, video: grants };
  const body = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Throws E_USAGE where one of them is not set. */
export function keysIn(env: Readonly<Record<string, string | undefined>>, where: string): LiveKitKeys {
  const { [keyNames.key]: key, [keyNames.secret]: secret } = env;
  if (key && secret) return { key, secret };
  const missing = [...(key ? [] : [keyNames.key]), ...(secret ? [] : [keyNames.secret])];
  throw new LoadlineError(
    'E_USAGE',
    `For a LiveKit, ${missing.join(' and ')} must be set: it lets nobody in without a token.`,
    {
      where,
      why: 'each participant shows a token that is made of the key and the secret of the server',
      todo: rightKeys,
    },
  );
}
