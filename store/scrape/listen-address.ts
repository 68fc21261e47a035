import { LoadlineError } from '../../model/errors.js';

export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

/** Reads `:9464`, `9464`, `0.0.0.0:9464` or `[::]:9464`. Without a host it is this machine alone. Throws E_USAGE. */
export function readListenAddress(text: string): ListenAddress {
  const [, v6, host = '127.0.0.1', digits = ''] = /^(?:\[([\da-f:]+)\]:|([\w.-]+):|:)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits !== '' && port <= 65_535) return { host: v6 ?? host, port };
  throw new LoadlineError('E_USAGE', `--metrics-listen must be an address to listen on, not "${text}".`, {
    where: '--metrics-listen',
    todo: 'write :9464 for this machine alone, or 0.0.0.0:9464 for all who reach it',
  });
}
