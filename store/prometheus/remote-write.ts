import { compress } from 'snappyjs';
import type { PointTarget } from '../points/point-sink.js';
import { outcomeOfStatus, post } from '../points/post.js';
import { readValues, valuesText } from '../series/series.js';
import { writeRequest } from './write-request.js';

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
