import { LoadlineError } from '../../model/errors.js';
import type { RelayAccess } from '../../model/turn.js';
import type { FleetOptions, StartFleet } from '../fleet.js';
import type { JoinOrder } from './wire.js';

/** The fleets that a host can play. */
export interface FleetsOfHost {
  readonly startFleet: StartFleet;
  /** Of participants of whom these have no browser; absent: it plays no native probes. */
  readonly mixed?: (native: ReadonlySet<string>) => StartFleet;
}

/** Why these cannot play what is asked, a sentence part; `undefined` when they can. */
export function whyNotPlayed({ native }: JoinOrder, { mixed }: FleetsOfHost): string | undefined {
  return native && !mixed ? 'it plays no native probes' : undefined;
}

/** The one that plays what is asked. */
export function fleetAsked({ native }: JoinOrder, { startFleet, mixed }: FleetsOfHost): StartFleet {
  return (native && mixed?.(new Set(native))) ?? startFleet;
}

/** What is asked, with what is this host's own: no order names a file or a program. */
export function fleetOptions(
  order: JoinOrder,
  {
    chromiumPath,
    inside,
    allow,
  }: Pick<FleetOptions, 'chromiumPath' | 'allow'> & { readonly inside?: FleetOptions['inside'] },
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
    ...(allow ? { allow } : {}),
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
