import type { Command } from 'commander';
import type { InfluxLogin } from '../../store/influx/http-write.js';
import { type InfluxTarget, readInfluxAddress } from '../../store/influx/influx-address.js';
import type { Env } from '../process.js';

export const influxHelp = `InfluxDB:
  --influx http://HOST:8086?db=loadline                 1.x
  --influx 'http://HOST:8086?org=ORG&bucket=loadline'   2.x
  --influx 'http://HOST:8181?db=loadline&api=3'         3
  The login is in the environment: LOADLINE_INFLUX_TOKEN (or INFLUX_TOKEN), or LOADLINE_INFLUX_USER and
  LOADLINE_INFLUX_PASSWORD. It is stored nowhere.`;

export interface InfluxFlags {
  readonly influx?: string;
}

export function addInfluxFlag(command: Command): Command {
  return command.option('--influx <url>', 'copy points to this InfluxDB while the run goes on');
}

/** Undefined without the flag. Throws E_INFLUX_URL. */
export function readInfluxFlag({ influx }: InfluxFlags): InfluxTarget | undefined {
  return influx === undefined ? undefined : readInfluxAddress(influx);
}

/** A variable that is set to nothing counts as not set. */
export function influxLogin(env: Env): InfluxLogin {
  const token = env.LOADLINE_INFLUX_TOKEN || env.INFLUX_TOKEN;
  const user = env.LOADLINE_INFLUX_USER;
  const password = env.LOADLINE_INFLUX_PASSWORD;
  return {
    ...(token ? { token } : {}),
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
  };
}
