import { type Cast, membersOf } from '../../model/cast.js';
import { given } from '../../model/given.js';
import type { Media } from '../../model/plan.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetOptions, FleetRelay } from '../fleet.js';
import type { JoinOrder } from './wire.js';

type OrderedPart = Pick<
  JoinOrder,
  'media' | 'encoded' | 'lightVoice' | 'cast' | 'probesPerPage' | 'pagesPerBrowser' | 'relay' | 'participants'
>;

/** The media that a host makes; what participants leave out of it, each says by itself. */
const made = ({
  width,
  height,
  framesPerSecond,
  videoKbps,
  videoCodec,
  drawnMarks,
  see,
  data,
  svc,
}: Media): JoinOrder['media'] => ({
  ...{ width, height, framesPerSecond, videoKbps, videoCodec },
  ...given({ drawnMarks, see, data, svc }),
});

/** What a host is told of the run: who its own participants are, and of the relay what these need. */
export function orderedPart(
  own: readonly Participant[],
  { media, encoded, lightVoice, probesPerPage, pagesPerBrowser, relay }: FleetOptions,
  /** Of all participants. */
  cast: Cast,
): OrderedPart {
  return {
    participants: own.map(plain),
    cast: idsByPlayer(own, cast),
    media: made(media),
    probesPerPage,
    pagesPerBrowser,
    ...given({ encoded, lightVoice, relay: relay && relayOf(own, relay) }),
  };
}

function relayOf(own: readonly Participant[], relay: FleetRelay): NonNullable<JoinOrder['relay']> {
  const accesses = Object.fromEntries(own.map(({ id }) => [id, relay.accessFor(id)]));
  return { accesses, ...given({ trustedKey: relay.trustedKey }) };
}

function idsByPlayer(own: readonly Participant[], cast: Cast): JoinOrder['cast'] {
  const named = membersOf(
    cast,
    own.filter(({ id }) => cast.has(id)),
  );
  return Object.fromEntries([...named].map(([player, members]) => [player, members.map(({ id }) => id)]));
}

/** Arrays that may be written to, as the schema of orders has them. */
const plain = (participant: Participant) => structuredClone(participant) as JoinOrder['participants'][number];
