import { LoadlineError } from '../../model/errors.js';
import type { IceServer } from '../../model/signalling.js';
import { isBlockedByBrowsers, type TurnProtocol } from '../../model/turn.js';
import { watchForLoss } from './lost-watch.js';
import type { NamedRelay, TurnRelay } from './turn-relay.js';
import { parseTurnUrl, type TurnAddress } from './turn-url.js';

/**
 * What the media server names to its participants, with credentials of its own. It belongs to what is measured. Its
 * address is known once it is named: from then on the first one that was named is asked whether it is there.
 */
export function ownRelay(protocol: TurnProtocol): TurnRelay<NamedRelay> {
  return {
    start: async () => ({ name: 'the TURN server that the media server names', protocol, ours: false }),
    open: async ({ onLost }) => {
      let isClosed = false;
      let stopWatching: (() => void) | undefined;
      return {
        accessFor: () => ({ protocol }),
        among: (servers) => {
          const { address, ...server } = namedFor(protocol, servers);
          if (!isClosed) stopWatching ??= watchForLoss(address, onLost);
          return server;
        },
        close: async () => {
          isClosed = true;
          stopWatching?.();
        },
      };
    },
    stop: async () => undefined,
  };
}

/** The first that can be used, with one address. Throws E_TURN_NOT_NAMED. */
function namedFor(
  protocol: TurnProtocol,
  servers: readonly IceServer[],
): IceServer & { readonly address: TurnAddress } {
  for (const { urls, username, credential } of servers) {
    if (!username || !credential) continue;
    for (const url of urls) {
      const address = addressIn(url);
      if (address?.protocol === protocol) return { urls: [url], username, credential, address };
    }
  }
  const urls = servers.flatMap((one) => one.urls).map((url) => url.slice(0, 200));
  throw new LoadlineError('E_TURN_NOT_NAMED', `The media server names no TURN server over ${protocol}.`, {
    where: '--turn-server own',
    why: urls.length === 0 ? 'it names no ICE server to the probe' : `it names ${urls.slice(0, 4).join(', ')}`,
    todo: 'turn its TURN server on, name another protocol with --turn, or name a TURN server with --turn-server turn:HOST:3478',
  });
}

/** Undefined of STUN, and of what no browser would use. */
function addressIn(url: string): TurnAddress | undefined {
  if (!/^turns?:/i.test(url) || isBlockedByBrowsers(url)) return undefined;
  try {
    return parseTurnUrl(url);
  } catch {
    return undefined;
  }
}
