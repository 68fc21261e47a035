import { isLoopback } from '../../host/addresses.js';
import { serveTokenName } from '../../server-setup/embedded/embedded-arguments.js';
import type { Env } from '../process.js';
import { usageError } from './usage-error.js';

/** What clients of `serve` must show; undefined: nothing. Throws E_USAGE if other machines reach it without a token. */
export function readServeToken(host: string, env: Env): string | undefined {
  const token = env[serveTokenName];
  if (token === undefined || token === '') {
    if (isLoopback(host)) return undefined;
    const what = `--host ${host} lets other machines use this server, and asks nothing of them.`;
    const why = 'whoever reaches it could write recordings and use its up-link';
    const todo = `set ${serveTokenName} to a secret, and let clients name it in the address that they use: …?token=SECRET`;
    throw usageError(what, ['--host', serveTokenName], todo, why);
  }
  if (/^[\w.~-]{16,200}$/.test(token)) return token;
  const what = `${serveTokenName} must be 16 to 200 letters, digits, dots, dashes or tildes.`;
  throw usageError(what, [serveTokenName], 'make one with: openssl rand -hex 16');
}
