import { type ExpectedStream, isMuted, isShared } from '../../model/expected-streams.js';
import { layerAsked, type MediaSource } from '../../model/scenario.js';
import type { Baseline } from '../../model/trial.js';

type Entry = Baseline['streams'][string];

/** The network that a stream comes from: its sender's if received, else (sent, or mixed by the server) its own. */
export function sourceNetwork(
  direction: 'send' | 'receive',
  from: MediaSource | undefined,
  own: string | undefined,
): string | undefined {
  return direction === 'receive' && from && 'participant' in from ? from.network : own;
}

type Alike = readonly [role: string, direction: 'send' | 'receive', kind: string];

/**
 * Layers are unlike: `video:high` where that is asked for, `video:h` of the sent layer with that rid; `video:shown`
 * where it is not always the same that is asked for. So are sounds: `audio:muted` of a mute sender. A shared screen is
 * `video:screen`.
 */
export function kindInBaseline(one: Parameters<typeof isMuted>[0] & Pick<ExpectedStream, 'stream'>): string {
  const { direction, kind, stream, from } = one;
  if (isMuted(one)) return `${kind}:muted`;
  if (isShared(one)) return `${kind}:screen`;
  const asked = layerAsked({ kind, ...(from ? { from } : {}) });
  const layer = direction === 'send' ? stream : asked?.turns ? 'shown' : asked?.name;
  return layer === undefined ? kind : `${kind}:${layer}`;
}

/** `caller/receive/video`: streams that are alike have one baseline. On networks also by them: `…@poor-3g<clean`. */
export function baselineKey(stream: Alike, network?: string, sourceNetwork = network): string {
  const plain = stream.join('/');
  if (network === undefined) return plain;
  return sourceNetwork === network ? `${plain}@${network}` : `${plain}@${network}<${sourceNetwork ?? ''}`;
}

/**
 * The entry of a stream between two networks. A pair that the baseline did not have is taken for as bad as the worse of
 * both networks by itself: what comes over a link is not better than the link.
 */
export function entryBetween(
  { streams }: Baseline,
  stream: Alike,
  network: string | undefined,
  sourceNetwork: string | undefined,
): Entry | undefined {
  const exact = streams[baselineKey(stream, network, sourceNetwork)];
  if (exact || network === undefined) return exact;
  const both = [network, sourceNetwork].flatMap((name) => streams[baselineKey(stream, name)] ?? []);
  if (both.length > 0) return both.reduce(worse);
  // Where the baseline had one network only, it is the measure of all.
  const key = Object.keys(streams).find((one) => one.startsWith(`${baselineKey(stream)}@`));
  return key === undefined ? streams[baselineKey(stream)] : streams[key];
}

/** The same entry as one whose streams have no places: as good as its poorest place. */
export function leastPlace({ places, ...entry }: Entry): Omit<Entry, 'places'> {
  if (!places) return entry;
  const { bitrateKbps, fps } = places;
  return { ...entry, bitrateKbps: Math.min(...bitrateKbps), ...(fps ? { fps: Math.min(...fps) } : {}) };
}

function worse(one: Entry, other: Entry): Entry {
  const merged: Record<string, number> = {};
  const [first, second] = [leastPlace(one), leastPlace(other)];
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)]) as Set<keyof typeof first>) {
    const values = [first[name], second[name]].filter((value) => value !== undefined);
    merged[name] = lowIsBad.has(name) ? Math.min(...values) : Math.max(...values);
  }
  return merged as unknown as Entry;
}

const lowIsBad: ReadonlySet<string> = new Set(['bitrateKbps', 'fps', 'mos']);
