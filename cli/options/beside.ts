import { type AskedTogether, type FlagTogether, flagsTogether } from '../../model/asked-together.js';
import type { Load } from '../../model/load.js';
import { firstServer } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import { refusals } from '../../model/together.js';
import type { ArrivalFlags } from './arrival-flags.js';
import type { AskedAbilities } from './carried.js';
import type { AskedServers, ClusterFlags } from './cluster-flags.js';
import type { HostFlags } from './host-flags.js';
import type { MediaFlags, readMediaFlags } from './media-flags.js';
import type { NetworkFlags } from './network-flags.js';
import type { readSessionFlags, SessionFlags, SessionServer } from './session-flags.js';
import type { ThresholdFlags } from './threshold-flags.js';
import { throwFaults } from './together.js';
import type { TurnFlags } from './turn-flags.js';
import { refusalError } from './usage-error.js';

type Media = ReturnType<typeof readMediaFlags>;
type Links = Pick<NetworkFlags, 'network'> & Pick<TurnFlags, 'turn' | 'turnServer'> & Pick<HostFlags, 'hosts'>;
type Given = Links &
  Pick<SessionFlags, 'record'> &
  Pick<ThresholdFlags, 'preset'> &
  Pick<MediaFlags, 'media'> &
  Pick<ArrivalFlags, 'legs'> &
  Pick<ClusterFlags, 'drill'> & { readonly probesPerPage?: string; readonly strategy?: string };

/** What sessions are read with: what the server, its players and the load say of them. */
export function sessionServer({ kind, server }: AskedServers, players: Players, load: Load): SessionServer {
  const subscribe = kind.subscribing?.(firstServer(server));
  const sendsMedia = players.kind !== 'signalling' && load.by === 'sessions';
  return { records: kind.abilities.records, sendsMedia, subscribe, players };
}

/** Which flags were given that do not go with everything. */
export function givenOf(flags: Given): ReadonlySet<FlagTogether> {
  const { network, turn, turnServer, hosts, record, preset, legs, media, probesPerPage, strategy, drill } = flags;
  const asked: Readonly<Record<FlagTogether, boolean>> = {
    network: network !== undefined,
    turn: turn !== undefined,
    'turn-server': turnServer !== undefined,
    hosts: hosts !== undefined,
    record: record === true,
    preset: preset !== undefined,
    legs: legs !== undefined,
    media: media !== 'full',
    'probes-per-page': probesPerPage !== undefined,
    'strategy ramp': strategy === 'ramp',
    drill: drill !== undefined,
  };
  return new Set(flagsTogether.filter((flag) => asked[flag]));
}

/** Throws the one refusal of what does not go together, or SeveralFaults. */
export function assertTogether(asked: AskedTogether): void {
  throwFaults(refusals(asked).map(refusalError));
}

/** What is asked of the server that not every kind can do. */
export function askedOf(
  flags: Links,
  { scenario, plan }: ReturnType<typeof readSessionFlags>,
  { media }: Media,
): AskedAbilities {
  const relayed = flags.turn !== undefined || flags.turnServer !== undefined;
  return { scenario, records: plan.record === true, relayed, codec: media.videoCodec };
}
