import { ownedFolders } from '../../host/owned-folders.js';
import type { TurnProtocol } from '../../model/turn.js';

/** One for each coturn: what it reads, and nothing that outlives it. */
export const turnFolders = ownedFolders('turn');

interface CoturnConfig {
  /** Where probes reach it, and the address that it relays from. */
  readonly listenAddress: string;
  readonly relayAddress: string;
  readonly port: number;
  readonly protocol: TurnProtocol;
  readonly secret: string;
  readonly threads: number;
  /** Absolute; holds all of its files. */
  readonly folder: string;
}

const realm = 'loadline';
export const configFile = 'turnserver.conf';
export const certificateFile = 'certificate.pem';
export const keyFile = 'key.pem';

/**
 * The configuration of one coturn (turnserver(1)): one protocol alone, so that there is no other way in; users by
 * time-limited credentials of one secret; no command-line interface, and nothing outside of its folder.
 */
export function coturnConfig(config: CoturnConfig): string {
  const { listenAddress, relayAddress, port, protocol, secret, threads, folder } = config;
  const loopback = relayAddress === '::1' || relayAddress.startsWith('127.');
  const lines = [
    `listening-ip=${listenAddress}`,
    `relay-ip=${relayAddress}`,
    `${protocol === 'tls' ? 'tls-listening-port' : 'listening-port'}=${port}`,
    ...(protocol === 'tls' ? [`cert=${folder}/${certificateFile}`, `pkey=${folder}/${keyFile}`] : ['no-tls']),
    ...(protocol === 'udp' ? ['no-tcp'] : ['no-udp']),
    'no-dtls',
    'no-tcp-relay',
    `realm=${realm}`,
    'use-auth-secret',
    `static-auth-secret=${secret}`,
    'fingerprint',
    `relay-threads=${threads}`,
    // coturn refuses to relay to 127.0.0.1, where the embedded server is, unless it is told.
    ...(loopback ? ['allow-loopback-peers'] : []),
    'no-multicast-peers',
    'no-cli',
    'no-rfc5780',
    `userdb=${folder}/turndb`,
    `pidfile=${folder}/pid`,
    'log-file=stdout',
    'verbose',
  ];
  return `${lines.join('\n')}\n`;
}
