import type { PointTarget } from '../points/point-target.js';
import type { InfluxTarget } from './influx-address.js';
import type { InfluxLogin } from './influx-login.js';
import { influxWriter } from './influx-writer.js';
import { lineOf } from './line-protocol.js';

/** One database of one InfluxDB, of any version. */
export function influxTarget(target: InfluxTarget, login: InfluxLogin): PointTarget {
  return { description: `InfluxDB ${target.label}`, encode: lineOf, write: influxWriter(target, login) };
}
