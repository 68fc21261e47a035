import type { Aggregates } from '../../model/aggregate.js';
import type { ExpectedStream } from '../../model/expected-streams.js';
import { groupedBy } from '../../model/grouped.js';
import type { Baseline } from '../../model/trial.js';
import { mean } from '../statistics/statistics.js';
import { entryBetween, kindInBaseline, sourceNetwork } from './baseline-key.js';

type Entry = Baseline['streams'][string];
type Places = NonNullable<Entry['places']>;

/** What the baseline had in the place of one stream. */
export type BaselinePlace = Pick<Entry, 'bitrateKbps' | 'fps'>;

export interface PlacedValues {
  readonly participant: string;
  readonly session: string;
  readonly values: Aggregates;
}

const placed = ['bitrateKbps', 'fps'] as const;
type Name = (typeof placed)[number];

/** Below this share of their mean a stream differs from the others. Chosen: half of the way to the usual limit. */
const likeShare = 0.9;

/**
 * The places of streams that share a key and are unlike; `undefined` where they are alike, so that their mean is the
 * measure of each. A place is a rank, by bitrate and by frame rate apart: an app gives its large tile to whoever
 * speaks, so that no name is the large one's for good. It is the rank within one participant where all participants
 * have the same, else the rank within the session, as where some members are muted.
 */
export function placesOf(group: readonly PlacedValues[]): Places | undefined {
  // What each is asked for is its measure.
  const isShown = group.some(({ values }) => values.switches !== undefined);
  if (isShown || isAlike(group)) return undefined;
  const own = [...groupedBy(group, ({ participant }) => participant).values()];
  const sameForAll = placed.every((name) => columnsOf(own, name).every(areAlike));
  const within = sameForAll ? 'participant' : 'session';
  const rows = sameForAll ? own : [...groupedBy(group, ({ session }) => session).values()];
  const [rates, frames] = placed.map((name) => columnsOf(rows, name).flatMap((column) => mean(column) ?? []));
  return { within, bitrateKbps: rates ?? [], ...(frames && frames.length > 0 ? { fps: frames } : {}) };
}

/** What any of its streams had at most. */
export function mostOf(entry: Entry | undefined, name: Name): number {
  return Math.max(0, entry?.[name] ?? 0, ...(entry?.places?.[name] ?? []));
}

export interface MeasuredPlace {
  readonly stream: ExpectedStream;
  readonly values: Aggregates;
}

/** The entry of a stream, by its role, direction and kind, and by the networks at both ends. */
export function entryOfStream(stream: ExpectedStream, baseline: Baseline): Entry | undefined {
  const { participant, from, direction } = stream;
  const { role, network } = participant;
  return entryBetween(
    baseline,
    [role, direction, kindInBaseline(stream)],
    network,
    sourceNetwork(direction, from, network),
  );
}

/**
 * What the baseline had in the place of each of these streams; of those alone that were unlike in it. Where more
 * streams are here than the baseline had, the further ones are as its last. Where fewer are here, because sources left,
 * the large ones may be among those: then each is held against the smallest that it can be.
 *
 * @param within streams of one participant alone are no session
 */
export function placesIn(
  streams: readonly MeasuredPlace[],
  baseline: Baseline | null,
  within: 'participant' | 'session' = 'session',
): ReadonlyMap<ExpectedStream, Partial<BaselinePlace>> {
  const found = new Map<ExpectedStream, Partial<Record<Name, number>>>();
  if (!baseline || !Object.values(baseline.streams).some(({ places }) => places)) return found;
  const rows = new Map<Places, Map<string, MeasuredPlace[]>>();
  for (const one of streams) {
    const places = entryOfStream(one.stream, baseline)?.places;
    if (!places || (places.within === 'session' && within === 'participant')) continue;
    const { id, session } = one.stream.participant;
    const owner = places.within === 'session' ? session : id;
    const ofPlaces = rows.get(places) ?? new Map<string, MeasuredPlace[]>();
    ofPlaces.set(owner, [...(ofPlaces.get(owner) ?? []), one]);
    rows.set(places, ofPlaces);
  }
  for (const [places, owners] of rows) {
    for (const row of owners.values()) for (const name of placed) rank(row, places, name, found);
  }
  return found;
}

function rank(
  row: readonly MeasuredPlace[],
  places: Places,
  name: Name,
  found: Map<ExpectedStream, Partial<Record<Name, number>>>,
): void {
  const known = places[name] ?? [];
  const here = row.filter(({ values }) => values[name] !== undefined);
  here.sort((one, other) => (other.values[name] ?? 0) - (one.values[name] ?? 0));
  const missing = Math.max(0, known.length - here.length);
  for (const [nth, { stream }] of here.entries()) {
    const value = known[Math.min(nth + missing, known.length - 1)];
    if (value !== undefined) found.set(stream, { ...found.get(stream), [name]: value });
  }
}

function isAlike(group: readonly PlacedValues[]): boolean {
  return placed.every((name) => areAlike(group.flatMap(({ values }) => values[name] ?? [])));
}

function areAlike(values: readonly number[]): boolean {
  const like = likeShare * (mean(values) ?? 0) * (1 - 1e-9);
  return values.every((value) => value >= like);
}

/** Of each rank, what each row has there: the largest of each row first. */
function columnsOf(rows: readonly (readonly PlacedValues[])[], name: Name): readonly (readonly number[])[] {
  const sorted = rows.map((row) => row.flatMap(({ values }) => values[name] ?? []).sort((one, other) => other - one));
  const width = Math.max(0, ...sorted.map(({ length }) => length));
  return Array.from({ length: width }, (_, nth) => sorted.flatMap((row) => row[nth] ?? []));
}
