import { createHmac } from 'node:crypto';
import type { Environment, MissingSecret } from '../../model/environment.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { shortText } from '../../model/plain-text.js';
import { shellAnswer } from '../shell-answer.js';

/** From the environment, and stored nowhere. */
interface LiveKitKeys {
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

/** Makes the token of who asks, for what. Rejects with E_SERVER_REFUSED. */
export type Tokens = (identity: string, grants: Grants) => Promise<string>;

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

const commandMs = 5000;
/** Of the room service, which is asked again and again. */
const keptMs = 60_000;

/** By the command where there is one, else by key and secret. Throws E_USAGE where there is neither. */
export function tokensBy(env: Environment, where: string, command?: string): Tokens {
  if (command !== undefined) return commandTokens(command);
  const keys = keysIn(env, where);
  return async (identity, grants) => accessToken(keys, identity, grants, Date.now());
}

/** The user's own command gets `{ identity, grants }` as JSON on its standard input, and writes a token. */
function commandTokens(command: string): Tokens {
  let isProven = false;
  const kept = new Map<string, { readonly token: Promise<string>; readonly untilMs: number }>();
  return (identity, grants) => {
    const asked = JSON.stringify({ identity, grants });
    const known = kept.get(asked);
    if (known && performance.now() < known.untilMs) return known.token;
    const token = written(command, asked, isProven);
    token.then(
      () => (isProven = true),
      () => undefined,
    );
    if (grants.room !== undefined) return token;
    kept.set(asked, { token, untilMs: performance.now() + keptMs });
    token.catch(() => kept.delete(asked));
    return token;
  };
}

/** `isProven`: it has made a token before. One that never has is a wrong command. */
async function written(command: string, asked: string, isProven: boolean): Promise<string> {
  const refused = (why: string) => noToken(isProven ? 'E_SERVER_REFUSED' : 'E_USAGE', command, why);
  const said = await shellAnswer(command, asked, commandMs).catch((error: unknown) => {
    throw refused(shortText(withoutTokens(messageOf(error)), 200));
  });
  const token = said.trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return token;
  // What it wrote may be a secret.
  const seen = token === '' ? 'nothing' : `${token.length} ${token.length === 1 ? 'character' : 'characters'}`;
  throw refused(`it wrote ${seen}, and a token (JWT) is three parts with dots between them`);
}

function noToken(code: 'E_SERVER_REFUSED' | 'E_USAGE', command: string, why: string): LoadlineError {
  return new LoadlineError(code, 'The command of --livekit-token-command made no token.', {
    where: `--livekit-token-command ${command}`,
    why,
    todo: 'have it write one token and nothing else, within 5 s, of the identity and the grants that it gets',
  });
}

/** Servers and commands may repeat a token that they refuse. */
export const withoutTokens = (text: string): string => text.replace(/\beyJ[\w-]*\.[\w-]*\.[\w-]*/g, '***');

/** What is wrong where one of them is not set, and what to do. */
export function missingKeys(env: Environment): MissingSecret | undefined {
  const missing = Object.values(keyNames).filter((name) => !env[name]);
  if (missing.length === 0) return undefined;
  return {
    text: `For a LiveKit, ${missing.join(' and ')} must be set: it lets nobody in without a token.`,
    todo: `${rightKeys}, or name a command that makes tokens with --livekit-token-command`,
  };
}

/** Throws E_USAGE where one of them is not set. */
function keysIn(env: Environment, where: string): LiveKitKeys {
  const { [keyNames.key]: key = '', [keyNames.secret]: secret = '' } = env;
  const missing = missingKeys(env);
  if (!missing) return { key, secret };
  const why = 'each participant shows a token that is made of the key and the secret of the server';
  throw new LoadlineError('E_USAGE', missing.text, { where, why, todo: missing.todo });
}
