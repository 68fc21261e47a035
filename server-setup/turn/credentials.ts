import { createHmac } from 'node:crypto';

/** What a TURN server knows its users by: a secret that it shares with whoever makes credentials, or an account. */
export type TurnSecrets =
  | { readonly kind: 'shared'; readonly secret: string }
  | { readonly kind: 'account'; readonly username: string; readonly password: string };

export interface TurnCredentials {
  readonly username: string;
  readonly credential: string;
}

/**
 * Credentials for one user. With a shared secret they are made for it alone and end by themselves: the name is
 * `expiry:user`, the password the base64 of its HMAC-SHA1 (draft-uberti-behave-turn-rest-00, 2.2).
 */
export function credentialsFor(secrets: TurnSecrets, user: string, expiresAtMs: number): TurnCredentials {
  if (secrets.kind === 'account') return { username: secrets.username, credential: secrets.password };
  const username = `${Math.ceil(expiresAtMs / 1000)}:${user}`;
  return { username, credential: createHmac('sha1', secrets.secret).update(username).digest('base64') };
}
