import { given } from '../../model/given.js';

/** From the environment, never from a flag or a file of the run. */
export interface InfluxLogin {
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
}

/** A variable that is set to nothing counts as not set. */
export function influxLogin(env: Readonly<Record<string, string | undefined>>): InfluxLogin {
  return given({
    token: env.LOADLINE_INFLUX_TOKEN || env.INFLUX_TOKEN || undefined,
    user: env.LOADLINE_INFLUX_USER || undefined,
    password: env.LOADLINE_INFLUX_PASSWORD || undefined,
  });
}
