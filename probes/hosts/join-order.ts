import type { Participant } from '../../model/scenario.js';
import type { RelayAccess } from '../../model/turn.js';
import type { FleetOptions } from '../fleet.js';
import type { JoinOrder } from './wire.js';

type OrderedPart = Pick<
  JoinOrder,
  'media' | 'encoded' | 'native' | 'probesPerPage' | 'pagesPerBrowser' | 'relay' | 'participants'
>;

/** What a host is told of the run: who its own participants are, and of the relay what these need. */
export function orderedPart(
  own: readonly Participant[],
  { media, encoded, probesPerPage, pagesPerBrowser, relay }: FleetOptions,
  /** Who of all participants has no browser; absent: browsers play all. */
  native: ReadonlySet<string> | undefined,
): OrderedPart {
  const accesses = (): Record<string, RelayAccess> =>
    Object.fromEntries(own.flatMap(({ id }) => (relay ? [[id, relay.accessFor(id)]] : [])));
  return {
    participants: own.map(plain),
    media,
    probesPerPage,
    pagesPerBrowser,
    ...(encoded ? { encoded } : {}),
    ...(native ? { native: own.flatMap(({ id }) => (native.has(id) ? [id] : [])) } : {}),
    ...(relay
      ? { relay: { accesses: accesses(), ...(relay.trustedKey ? { trustedKey: relay.trustedKey } : {}) } }
      : {}),
  };
}

/** Arrays that may be written to, as the schema of orders has them. */
const plain = (participant: Participant) => structuredClone(participant) as JoinOrder['participants'][number];
