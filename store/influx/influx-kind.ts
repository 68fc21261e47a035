import { LoadlineError } from '../../model/errors.js';
import type { AskedSink, SinkKind } from '../sink-kind.js';
import { influxLogin, readInfluxAddress } from './influx-address.js';

export const influx: SinkKind = {
  name: 'influx',
  takes: 'url',
  summary: 'copy points to this InfluxDB while the run goes on; may be repeated',
  exportSummary: 'the InfluxDB that gets the points; may be repeated',
  help: `InfluxDB:
  --influx http://HOST:8086?db=loadline                 1.x
  --influx 'http://HOST:8086?org=ORG&bucket=loadline'   2.x
  --influx 'http://HOST:8181?db=loadline&api=3'         3
  The login is in the environment: LOADLINE_INFLUX_TOKEN (or INFLUX_TOKEN), or LOADLINE_INFLUX_USER and
  LOADLINE_INFLUX_PASSWORD. It is stored nowhere.`,
  environment: [
    { name: 'LOADLINE_INFLUX_TOKEN', about: 'a token for the InfluxDB of --influx' },
    { name: 'INFLUX_TOKEN', about: 'the same, as other tools call it' },
    { name: 'LOADLINE_INFLUX_USER', about: 'an account of that InfluxDB, instead of a token' },
    { name: 'LOADLINE_INFLUX_PASSWORD', about: 'the password of that account' },
  ],
  mustBe: 'must be an address: http://HOST:8086?db=loadline',
  read: askedInflux,
};

function askedInflux(text: string): AskedSink {
  const target = readInfluxAddress(text);
  const description = `InfluxDB ${target.label}`;
  return {
    kind: influx,
    description,
    // Loaded late: most runs need no InfluxDB client.
    async open({ env, ...options }) {
      const { influxTarget } = await import('./influx-writer.js');
      const { PointSender } = await import('../points/point-sender.js');
      return new PointSender(influxTarget(target, influxLogin(env)), options);
    },
    notTaken: (lost, why) =>
      new LoadlineError('E_INFLUX', `InfluxDB did not take ${lost} points of this run.`, {
        where: target.label,
        why,
        todo: 'see that it runs, that the database is there and the login may write to it; then export again',
      }),
  };
}
