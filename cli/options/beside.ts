import { firstServer } from '../../model/plan.js';
import type { BesideArrivals, LegsChoice } from './arrival-flags.js';
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

/** What sessions are read with: what the server, the media and the legs say of them. */
export function sessionServer(
  { kind, server }: AskedServers,
  { signallingOnly }: Media,
  { legs }: LegsChoice,
  comesAndGoes: boolean,
): SessionServer {
  const subscribe = kind.subscribing?.(firstServer(server));
  return { records: kind.abilities.records, sendsMedia: signallingOnly !== true && !comesAndGoes, subscribe, legs };
}

/** What else was asked, which arrivals go with or do not. */
export function besideArrivals(
  flags: Links & Pick<SessionFlags, 'record'> & ThresholdFlags,
  media: Media,
): Pick<BesideArrivals, 'signallingOnly' | 'hasSentinels' | 'media' | 'aboutMedia' | 'expressions'> {
  const { signallingOnly, sentinels } = media;
  const { network, turn, turnServer, hosts, record, preset } = flags;
  const elsewhere = signallingOnly ? { hosts } : {};
  const about = { network, turn, 'turn-server': turnServer, ...elsewhere, record, preset };
  const aboutMedia = Object.entries(about).flatMap(([flag, value]) =>
    value === undefined || value === false ? [] : `--${flag}`,
  );
  return {
    signallingOnly: signallingOnly === true,
    hasSentinels: sentinels !== undefined,
    media,
    aboutMedia,
    expressions: flags.threshold ?? [],
  };
}

/** What else was asked, of which a visit can have nothing. */
export function besideVisit(
  visits: boolean,
  flags: Links & { readonly probesPerPage?: string },
  { encoded, native, signallingOnly }: Media,
) {
  const { hosts, network, probesPerPage } = flags;
  const media = encoded || native || signallingOnly ? '--media' : undefined;
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
