import { compress } from 'snappyjs';
import type { PointTarget } from '../points/point-sink.js';
import { outcomeOfStatus, post } from '../points/post.js';
import { type PointValues, readValues, valuesText } from '../series/series.js';

/** Whatever takes Prometheus' remote write, version 1: it takes a request as a whole or not at all. */
export function remoteWriteTarget(
  description: string,
  url: string,
  login: Readonly<Record<string, string>>,
): PointTarget {
  const headers = {
    ...login,
    'content-type': 'application/x-protobuf',
    'content-encoding': 'snappy',
    'x-prometheus-remote-write-version': '0.1.0',
    'user-agent': 'loadline',
  };
  return {
    description,
    encode: valuesText,
    write: (texts, boundMs) => {
      const body = new Uint8Array(compress(writeRequest(readValues(texts))));
      return post({ url, headers, body }, boundMs, ({ status, headers: said, bytes }) =>
        status >= 200 && status < 300
          ? { kind: 'taken' }
          : outcomeOfStatus(status, new TextDecoder().decode(bytes), said.get('retry-after'), texts.length),
      );
    },
  };
}

interface Sample {
  readonly atMs: number;
  readonly value: number;
}

interface OneSeries {
  readonly labels: readonly (readonly [string, string])[];
  readonly samples: Sample[];
}

/**
 * Prometheus' `WriteRequest` of remote write 1.0, as protocol buffers: `timeseries` (1), each with `labels` (1: name 1,
 * value 2) in the order of their names, and `samples` (2: value 1 as a double, timestamp 2 in ms) in the order of time.
 */
function writeRequest(points: readonly PointValues[]): Uint8Array {
  return Buffer.concat(seriesOf(points).map((one) => message(1, seriesBytes(one))));
}

function seriesOf(points: readonly PointValues[]): readonly OneSeries[] {
  const all = new Map<string, OneSeries>();
  for (const { labels, atMs, values } of points) {
    const own = Object.entries(labels);
    const key = JSON.stringify(own);
    for (const { name, value } of values) {
      const known = all.get(`${name}${key}`) ?? {
        labels: [['__name__', name] as const, ...own].sort(([a], [b]) => (a < b ? -1 : 1)),
        samples: [],
      };
      known.samples.push({ atMs, value });
      all.set(`${name}${key}`, known);
    }
  }
  for (const { samples } of all.values()) samples.sort((a, b) => a.atMs - b.atMs);
  return [...all.values()];
}

function seriesBytes({ labels, samples }: OneSeries): Buffer {
  return Buffer.concat([
    ...labels.map(([name, value]) => message(1, Buffer.concat([text(1, name), text(2, value)]))),
    ...samples.map((sample) => message(2, sampleBytes(sample))),
  ]);
}

function sampleBytes({ atMs, value }: Sample): Buffer {
  const double = Buffer.alloc(9);
  double.writeUInt8(tag(1, 1));
  double.writeDoubleLE(value, 1);
  return Buffer.concat([double, Buffer.from([tag(2, 0)]), varint(atMs)]);
}

/** Protocol buffers' wire types: 0 a varint, 1 eight bytes, 2 a length and so many bytes. */
function tag(field: number, wireType: 0 | 1 | 2): number {
  return field * 8 + wireType;
}

function message(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag(field, 2)]), varint(bytes.length), bytes]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

/** Of a whole number that is not negative. By division: it may have more than 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.max(0, value);
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
