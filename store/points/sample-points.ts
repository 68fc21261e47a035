import type { Evidence, ScrapedReading, ServerReading, ThreadReading } from '../../model/evidence.js';
import { layerOf } from '../../model/expected-streams.js';
import { given } from '../../model/given.js';
import { type Ask, widthOf } from '../../model/layer.js';
import { mediaBytesOf } from '../../model/media-bytes.js';
import { isAway, type Sample, type StreamSample } from '../../model/sample.js';
import type { Leg, Participant } from '../../model/scenario.js';
import type { DataPoint, Tags } from './data-point.js';

/** Which participant a probe plays; a probe that nobody knows has no session and role. */
type WhoIs = (probe: string) => Pick<Participant, 'session' | 'role' | 'legs'> | undefined;

/** What a probe read in one second: itself, each leg, each stream. */
export function samplePoints(trial: Tags, whoIs: WhoIs, sample: Sample): readonly DataPoint[] {
  const { probe, host, atMs, intervalMs, lateMs, legs, streams } = sample;
  const who = whoIs(probe);
  const tags = { ...trial, probe, host, session: who?.session, role: who?.role };
  return [
    { measurement: 'loadline_probe', tags, fields: { intervalMs, lateMs }, isOfSecond: true, atMs },
    ...legs.map(({ leg, ...fields }) => ({
      measurement: 'loadline_leg',
      tags: { ...tags, leg },
      fields,
      isOfSecond: true,
      atMs,
    })),
    ...streams.map((stream) => ({
      measurement: 'loadline_stream',
      ...layeredStream(tags, who?.legs, { ...stream, fields: streamFields(stream, intervalMs) }, askIn(stream)),
      isOfSecond: true,
      atMs,
    })),
  ];
}

type OfStream = Pick<StreamSample, 'leg' | 'direction' | 'kind' | 'stream'> & Pick<DataPoint, 'fields'>;

/** A stream's tags and fields, with the layer that it is or that is asked for, and how wide that is. */
export function layeredStream(
  probe: DataPoint['tags'],
  legs: readonly Leg[] = [],
  { leg, direction, kind, stream, fields }: OfStream,
  ask?: Ask,
): Pick<DataPoint, 'tags' | 'fields'> {
  const layer = layerOf(legs, { leg, direction, kind, ...given({ stream }) });
  const asked = layer && askedNow(layer, ask);
  return {
    tags: { ...probe, leg, direction, kind, stream, layer: asked?.name },
    fields: { ...fields, askedWidth: asked?.width },
  };
}

const askIn = (stream: StreamSample): Ask | undefined =>
  stream.direction === 'receive' ? stream.asked?.layer : undefined;

type OfLayer = NonNullable<ReturnType<typeof layerOf>>;

/** Of a window in which not always the same is asked for, that is said. */
function askedNow(
  layer: OfLayer,
  ask: Ask | undefined,
): { readonly name: string; readonly width?: number | undefined } {
  const { name, width, kbps, turns } = layer;
  if (turns === undefined || width === undefined || kbps === undefined) return { name, width };
  if (ask === undefined) return { name: 'shown' };
  return { name: ask, ...(ask === 'none' ? {} : { width: widthOf({ name, width, kbps }, ask) }) };
}

/** The metrics as they are stored, and the two that every chart would divide for itself; nothing while it is away. */
function streamFields(stream: StreamSample, intervalMs: number): DataPoint['fields'] {
  if (isAway(stream)) return { intervalMs };
  const isReceived = stream.direction === 'receive';
  const frames = isReceived ? stream.metrics.framesDecoded : stream.metrics.framesSent;
  return {
    intervalMs,
    ...stream.metrics,
    bitrateKbps: perMs(mediaBytesOf(stream), 8, intervalMs),
    fps: perMs(frames, 1000, intervalMs),
    restarted: stream.restarted,
    qualityLimitation: isReceived ? undefined : stream.qualityLimitation,
  };
}

function perMs(count: number | undefined, factor: number, intervalMs: number): number | undefined {
  return count === undefined || intervalMs <= 0 ? undefined : (count * factor) / intervalMs;
}

/**
 * What the machines did: the probe hosts, the media server, and the TURN server between them. `toldMs` is kept from
 * call to call within a trial.
 */
export function evidencePoints(trial: Tags, evidence: Evidence, toldMs: ToldMs = new Map()): readonly DataPoint[] {
  return [
    ...evidence.probeHost.map(({ atMs, host, ...fields }) => ({
      measurement: 'loadline_host',
      tags: { ...trial, host },
      fields: { ...fields, busyPercent: (100 * fields.busyCores) / fields.cores },
      isOfSecond: true,
      atMs,
    })),
    ...evidence.server.flatMap((reading) => serverPoints(trial, reading, toldMs)),
    ...(evidence.turn ?? []).map(({ atMs, ...fields }) => ({
      measurement: 'loadline_turn',
      tags: trial,
      fields: { reading: true, ...fields },
      isOfSecond: true,
      atMs,
    })),
    ...(evidence.scraped ?? []).map((reading) => scrapedPoint(trial, reading)),
  ];
}

function serverPoints(trial: Tags, { servers = [], ...together }: ServerReading, toldMs: ToldMs): readonly DataPoint[] {
  const point = (measurement: string, tags: Tags, reading: OneServer, egressKbps?: number): DataPoint => {
    const { atMs, fullestThread, ...fields } = reading;
    const rates = { egressKbps, ...threadFields(fullestThread) };
    // So that a reading of nothing is a point, too, and can be counted.
    return { measurement, tags, fields: { reading: true, ...fields, ...rates }, isOfSecond: true, atMs };
  };
  const rates = servers.map(({ server, ...own }) => egressKbps(server, own, toldMs));
  // The sum of bytes of a cluster may be of different times.
  const sum = servers.length === 0 ? egressKbps('', together, toldMs) : sumOfAll(rates);
  return [
    point('loadline_server', trial, together, sum),
    ...servers.map(({ server, ...own }, nth) =>
      point('loadline_cluster_server', { ...trial, server }, own, rates[nth]),
    ),
  ];
}

function sumOfAll(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (all, one) => (all !== undefined && one !== undefined ? all + one : undefined),
    0,
  );
}

/** When each server last told bytes, by its name, within a trial. */
export type ToldMs = Map<string, number>;

type OneServer = Omit<ServerReading, 'servers'>;

/**
 * The bytes are those since the last reading that told any, seldom a second ago, and far away before a trial's first
 * one. A reading that could not be had leaves what it would have counted to the next.
 */
function egressKbps(server: string, { egressBytes, atMs }: OneServer, toldMs: ToldMs): number | undefined {
  const last = toldMs.get(server);
  if (egressBytes !== undefined) toldMs.set(server, atMs);
  return last === undefined ? undefined : perMs(egressBytes, 8, atMs - last);
}

function threadFields(thread: ThreadReading | undefined): DataPoint['fields'] {
  return thread ? { threadCores: thread.cores, threadWaitedShare: thread.waitedShare } : {};
}

/** Metrics that a user chose are fields under their own names; a scrape that gave nothing is a point without values. */
function scrapedPoint(
  trial: Tags,
  { atMs, source, failure, unclear: _, named = {}, ...fields }: ScrapedReading,
): DataPoint {
  return {
    measurement: 'loadline_scraped',
    tags: { ...trial, source },
    fields: { scraped: failure === undefined, ...fields, ...named },
    isOfSecond: true,
    atMs,
  };
}
