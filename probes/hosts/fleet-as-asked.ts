import { type Cast, castAs } from '../../model/cast.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { RelayWay } from '../../model/turn.js';
import type { FleetOptions, FleetRelay } from '../fleet.js';
import type { PlayerFleets } from '../mixed-fleet.js';
import type { JoinOrder } from './wire.js';

/** What plays probes on a host. */
export interface FleetsOfHost {
  readonly fleets: PlayerFleets;
  /** The digest of the web app that is visited here; absent: none is. */
  readonly app?: string;
}

/** Why these cannot play what is asked, a sentence part; `undefined` when they can. */
export function whyNotPlayed(
  { cast, pages }: Pick<JoinOrder, 'cast' | 'pages'>,
  { fleets, app }: FleetsOfHost,
): string | undefined {
  const lacking = Object.keys(cast).find((player) => !Object.hasOwn(fleets, player));
  if (lacking !== undefined) return `it plays no ${lacking} probes`;
  return pages && pages.app !== app ? 'it visits another web app, or joins it in another way' : undefined;
}

/** Who plays whom, as the order has it. */
export function castAsked({ cast }: Pick<JoinOrder, 'cast'>): Cast {
  return new Map(Object.entries(cast).flatMap(([player, probes]) => [...castAs(player, probes)]));
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
  const { media, encoded, lightVoice, host, ownClock, probesPerPage, pagesPerBrowser, relay, pages } = order;
  return {
    chromiumPath,
    media,
    host,
    ownClock,
    probesPerPage,
    pagesPerBrowser,
    ...given({ encoded, lightVoice, pages, inside, allow, relay: relay && relayOf(relay) }),
  };
}

function relayOf({ accesses, ...relay }: NonNullable<JoinOrder['relay']>): FleetRelay {
  const accessFor = (probe: string): RelayWay => {
    const access = accesses[probe];
    if (access) return access;
    throw new LoadlineError('E_INTERNAL', `The order says nothing of the relay for ${probe}.`);
  };
  return { ...relay, accessFor };
}
