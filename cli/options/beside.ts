import { type AskedTogether, type FlagTogether, flagsTogether } from '../../model/asked-together.js';
import { comeAndGo, type Load } from '../../model/load.js';
import { firstServer } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import { forwardsPictures } from '../../model/simulcast-together.js';
import { refusals } from '../../model/together.js';
import { scenarios } from '../../scenarios/index.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { byRate, usualRate } from './arrival-flags.js';
import { type AskedAbilities, nearestFirst } from './carried.js';
import type { AskedServers } from './cluster-flags.js';
import { attributeOf, isSaid } from './flag.js';
import { mediaFlags, type mediaOf } from './media-flags.js';
import type { SessionServer, sessionOf } from './session-flags.js';
import { throwFaults } from './together.js';
import { refusalError } from './usage-error.js';

type Words = Readonly<Record<string, unknown>>;

/** What sessions are read with: what the server, its players and the load say of them. */
export function sessionServer({ kind, server }: AskedServers, players: Players, load: Load): SessionServer {
  const subscribe = kind.subscribing?.(firstServer(server));
  const sendsMedia = players.kind !== 'signalling' && !comeAndGo(load);
  return { records: kind.abilities.records, sendsMedia, subscribe, players };
}

/** What stands in for flags that are always there: with that they count as not given. */
const usual: { readonly [Flag in FlagTogether]?: string } = {
  media: mediaFlags.media.usual,
  codec: mediaFlags.codec.usual,
  'video-kbps': mediaFlags.videoKbps.usual,
};

/** Which flags were given that do not go with everything. */
export function givenOf(words: Words): ReadonlySet<FlagTogether> {
  const isUsual = (flag: FlagTogether) =>
    String(words[attributeOf(`--${flag}`)]).toUpperCase() === usual[flag]?.toUpperCase();
  return new Set(flagsTogether.filter((flag) => isSaid(`--${flag}`, words) && !isUsual(flag)));
}

/** For help: what cannot be had with what, on the first kind of server and where nothing else was asked. */
export function notTogetherLines([kind]: readonly ServerKind[]): string {
  const [scenario] = scenarios;
  if (!kind || !scenario) return '';
  const { inWords, abilities, place } = kind;
  const server = { inWords, abilities, isCluster: false, isStarted: place.by === 'start' };
  const plain: Omit<AskedTogether, 'given'> = {
    scenario,
    laidOut: scenario,
    forwarding: scenario.name,
    players: { kind: 'full' },
    load: { by: 'sessions' },
    server,
    elsewhere: false,
    codec: 'VP8',
    crowd: {},
    records: false,
    mediaLimits: [],
    measureMs: 60_000,
    joinMsMax: 10_000,
  };
  const load = usualRate();
  const refused = (more: Partial<AskedTogether> = {}) =>
    flagsTogether.filter((flag) => refusals({ ...plain, ...more, given: new Set([flag]) }).length > 0);
  const always = refused();
  const beside = (more: Partial<AskedTogether>) => refused(more).filter((flag) => !always.includes(flag));
  const rows = {
    'one server': always,
    'several servers': beside({ server: { ...server, isCluster: true } }),
    [byRate]: beside({ load }),
    '--media none': beside({ load, players: { kind: 'signalling', sentinels: 0, legs: 'all' } }),
    visit: beside({ players: { kind: 'visiting', encoded: true } }),
  };
  const lines = Object.entries(rows).map(
    ([label, flags]) => `  ${label.padEnd(16)} ${flags.map((flag) => `--${flag}`).join(', ')}`,
  );
  return ['Cannot be had together (docs/reference/finding.md):', ...lines].join('\n');
}

/** Throws the one refusal of what does not go together, or SeveralFaults. */
export function assertTogether(asked: Omit<AskedTogether, 'forwarding'>): void {
  const forwarding = scenarios.filter((one) => forwardsPictures({ laidOut: one }));
  const [nearest] = nearestFirst(forwarding, asked.scenario);
  throwFaults(refusals({ ...asked, forwarding: nearest?.name ?? '' }).map(refusalError));
}

/** What is asked of the server that not every kind can do. */
export function askedAbilities(
  { turn, turnServer, record }: Words,
  { scenario, plan }: ReturnType<typeof sessionOf>,
  { media }: ReturnType<typeof mediaOf>,
): AskedAbilities {
  const relayed = turn !== undefined || turnServer !== undefined;
  return {
    scenario,
    records: plan.record === true,
    asksToRecord: record === true,
    relayed,
    codec: media.audioOnly ? undefined : media.videoCodec,
  };
}
