import { LoadlineError } from '../../model/errors.js';
import type { RelayAccess } from '../../model/turn.js';
import type { FleetOptions, StartFleet } from '../fleet.js';
import type { JoinOrder } from './wire.js';

/** The fleets that a host can play. */
export interface FleetsOfHost {
  readonly startFleet: StartFleet;
  /** Of participants who come and go; absent: it plays none. */
  readonly startArriving?: StartFleet;
  /** Of participants most of whom have no browser, these; absent: it plays none. */
  readonly crowds?: Readonly<Record<'staying' | 'arriving', (native: ReadonlySet<string>) => StartFleet>>;
}

/** Why these cannot play what is asked, a sentence part; `undefined` when they can. */
export function whyNotPlayed({ arriving, native }: JoinOrder, fleets: FleetsOfHost): string | undefined {
  if (arriving && !fleets.startArriving) return 'nobody comes and goes on it';
  return native && !fleets.crowds ? 'it plays no native probes' : undefined;
}

/** The one that plays what is asked. */
export function fleetAsked({ arriving, native }: JoinOrder, fleets: FleetsOfHost): StartFleet {
  const crowd = native && fleets.crowds?.[arriving ? 'arriving' : 'staying'](new Set(native));
  return crowd ?? (arriving && fleets.startArriving) ?? fleets.startFleet;
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
