import { isLoopback } from '../../host/addresses.js';
import { LoadlineError } from '../../model/errors.js';
import { serveTokenName } from '../../server-setup/embedded/embedded-arguments.js';
import type { Env } from '../process.js';

/** What clients of `serve` must show; undefined: nothing. Throws E_USAGE if other machines reach it without a token. */
export function readServeToken(host: string, env: Env): string | undefined {
  const token = env[serveTokenName];
  if (token === undefined || token === '') {
    if (isLoopback(host)) return undefined;
    throw new LoadlineError(
      'E_USAGE',
      `--host ${host} lets other machines use this server, and asks nothing of them.`,
      {
        where: `--host, ${serveTokenName}`,
        why: 'whoever reaches it could write recordings and use its up-link',
        todo: `set ${serveTokenName} to a secret, and let clients name it in the address that they use: …?token=SECRET`,
      },
    );
  }
  if (/^[\w.~-]{16,200}$/.test(token)) return token;
  throw new LoadlineError('E_USAGE', `${serveTokenName} must be 16 to 200 letters, digits, dots, dashes or tildes.`, {
    where: serveTokenName,
    todo: 'make one with: openssl rand -hex 16',
  });
}
