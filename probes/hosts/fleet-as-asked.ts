import { LoadlineError } from '../../model/errors.js';
import type { RelayAccess } from '../../model/turn.js';
import type { FleetOptions } from '../fleet.js';
import type { JoinOrder } from './wire.js';

/** What is asked, with what is this host's own: no order names a file or a program. */
export function fleetOptions(
  order: JoinOrder,
  { chromiumPath, inside }: Pick<FleetOptions, 'chromiumPath'> & { readonly inside?: FleetOptions['inside'] },
): FleetOptions {
  const { media, encoded, host, probesPerPage, pagesPerBrowser, relay } = order;
  return {
    chromiumPath,
    media,
    host,
    probesPerPage,
    pagesPerBrowser,
    ...(encoded ? { encoded } : {}),
    ...(inside ? { inside } : {}),
    ...(relay
      ? {
          relay: {
            accessFor: (probe) => accessOf(relay.accesses, probe),
            ...(relay.trustedKey === undefined ? {} : { trustedKey: relay.trustedKey }),
          },
        }
      : {}),
  };
}

function accessOf(accesses: Readonly<Record<string, RelayAccess>>, probe: string): RelayAccess {
  const access = accesses[probe];
  if (access) return access;
  throw new LoadlineError('E_INTERNAL', `The order says nothing of the relay for ${probe}.`);
}
