import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';

/** What a server of NATS lets us in by. */
export interface NatsAccess {
  /** The text of a credentials file: a JWT and the seed of an nkey, or the seed alone. */
  readonly creds?: string;
  readonly token?: string;
  readonly login?: { readonly user: string; readonly password: string };
  /** Texts in PEM: who vouches for the server instead of whom Node knows, and who we are to it. */
  readonly ca?: string;
  readonly certificate?: string;
}

/** How we show who we are: none where nothing was given. */
export function authenticators({ creds, token, login }: NatsAccess): Authenticator[] {
  return [
    ...(creds === undefined ? [] : [byCreds(creds)]),
    ...(token === undefined ? [] : [tokenAuthenticator(token)]),
    ...(login === undefined ? [] : [usernamePasswordAuthenticator(login.user, login.password)]),
  ];
}

/** The seed of a user begins so (nkeys); a file of both has a JWT between marks as well. */
const seedAlone = /^\s*(SU[A-Z2-7]{56})\s*$/;

function byCreds(creds: string): Authenticator {
  const [, seed] = seedAlone.exec(creds) ?? [];
  const encoder = new TextEncoder();
  return seed === undefined ? credsAuthenticator(encoder.encode(creds)) : nkeyAuthenticator(encoder.encode(seed));
}

/** Whoever asks for it, by the address or by naming certificates, gets no connection without it. */
export function tlsOf(servers: readonly string[], { ca, certificate }: NatsAccess): TlsOptions | undefined {
  const isAsked = servers.some((server) => server.startsWith('tls:')) || ca !== undefined || certificate !== undefined;
  if (!isAsked) return undefined;
  return {
    ...(ca === undefined ? {} : { ca }),
    // One file holds both: each is read from its own marks.
    ...(certificate === undefined ? {} : { cert: certificate, key: certificate }),
  };
}
