import type { Load } from '../../model/load.js';
import { firstServer } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { BesideArrivals } from './arrival-flags.js';
import type { AskedAbilities } from './carried.js';
import type { AskedServers } from './cluster-flags.js';
import type { HostFlags } from './host-flags.js';
import type { readMediaFlags } from './media-flags.js';
import type { NetworkFlags } from './network-flags.js';
import type { readSessionFlags, SessionFlags, SessionServer } from './session-flags.js';
import type { ThresholdFlags } from './threshold-flags.js';
import type { TurnFlags } from './turn-flags.js';

type Media = ReturnType<typeof readMediaFlags>;
type Links = Pick<NetworkFlags, 'network'> & Pick<TurnFlags, 'turn' | 'turnServer'> & Pick<HostFlags, 'hosts'>;

/** What sessions are read with: what the server, its players and the load say of them. */
export function sessionServer({ kind, server }: AskedServers, players: Players, load: Load): SessionServer {
  const subscribe = kind.subscribing?.(firstServer(server));
  const sendsMedia = players.kind !== 'signalling' && load.by === 'sessions';
  return { records: kind.abilities.records, sendsMedia, subscribe, players };
}

/** What else was asked, which arrivals go with or do not. */
export function besideArrivals(
  flags: Links & Pick<SessionFlags, 'record'> & ThresholdFlags,
  players: Players,
): Pick<BesideArrivals, 'players' | 'aboutMedia' | 'expressions'> {
  const { network, turn, turnServer, hosts, record, preset } = flags;
  const elsewhere = players.kind === 'signalling' ? { hosts } : {};
  const about = { network, turn, 'turn-server': turnServer, ...elsewhere, record, preset };
  const aboutMedia = Object.entries(about).flatMap(([flag, value]) =>
    value === undefined || value === false ? [] : `--${flag}`,
  );
  return { players, aboutMedia, expressions: flags.threshold ?? [] };
}

/** What else was asked, of which a visit can have nothing. */
export function besideVisit(visits: boolean, flags: Links & { readonly probesPerPage?: string }, { players }: Media) {
  const { hosts, network, probesPerPage } = flags;
  const media = players.kind === 'full' ? undefined : '--media';
  return {
    visits,
    others: { '--hosts': hosts, '--network': network, '--probes-per-page': probesPerPage, '--media': media },
  };
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
