import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from '@playwright/test';
import { RTCIceGatherer } from 'werift';
import { coturnConfig } from '../server-setup/turn/coturn-config.js';
import { CoturnLog } from '../server-setup/turn/coturn-log.js';
import { startCoturn } from '../server-setup/turn/coturn-process.js';
import { credentialsFor } from '../server-setup/turn/credentials.js';
import { isInstalled } from '../tests/installed.js';
import { soon } from '../tests/soon.js';
import { IceGuard } from './ice-guard.js';
import { openRelay, type Relay } from './relay.js';

const hasCoturn = isInstalled(['turnserver']);
test.skip(!hasCoturn, 'coturn is not installed (apt-get install coturn)');

const timeout = 10_000;
const staleAfterMs = 1000;
const address = '127.0.0.1';

async function bound(): Promise<{ readonly socket: Socket; readonly port: number }> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  return { socket, port: (socket.address() as AddressInfo).port };
}

interface Scene {
  readonly relay: Relay;
  readonly gatherer: RTCIceGatherer;
  readonly log: CoturnLog;
  readonly lines: readonly string[];
  readonly media: (readonly [Buffer, number])[];
}

/** An address at a coturn that takes a nonce for one second. */
async function withRelay(scene: (of: Scene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-turn-client-'));
  const { socket, port } = await bound();
  socket.close();
  const [secret, protocol] = ['a secret', 'udp'] as const;
  const config = coturnConfig({
    ...{ listenAddress: address, relayAddress: address, port, protocol, secret, threads: 1, folder },
  });
  writeFileSync(join(folder, 'turnserver.conf'), `${config}stale-nonce=${staleAfterMs / 1000}\n`);
  const log = new CoturnLog();
  const lines: string[] = [];
  const coturn = startCoturn(join(folder, 'turnserver.conf'), (line) => {
    log.line(line);
    lines.push(line);
  });
  const credentials = credentialsFor({ kind: 'shared', secret }, '1a', Date.now() + 60_000);
  const access = { url: `turn:${address}:${port}?transport=udp`, protocol, ...credentials };
  const gatherer = new RTCIceGatherer({ useIpv4: false, useIpv6: false });
  delete gatherer.connection.stunServer;
  const media: [Buffer, number][] = [];
  try {
    await soon(() => lines.join('\n'), { timeout }).toMatch(/listener opened on/i);
    const relay = await openRelay(gatherer.connection, {
      access,
      onMedia: (datagram, { port: from }) => void media.push([Buffer.from(datagram), from]),
      guard: new IceGuard(gatherer.connection),
    });
    await scene({ relay, gatherer, log, lines, media });
    await relay.close();
  } finally {
    await gatherer.connection.close();
    await coturn.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a server that has got tired of a nonce is asked with its next one, and takes the address back', async () => {
  await withRelay(async ({ relay, log, lines }) => {
    await soon(() => log.open).toBe(1);
    await pause(2 * staleAfterMs);
    await relay.close();
    await soon(() => lines.join('\n')).toMatch(/error 438: Stale nonce/i);
    await soon(() => log.open, { timeout }).toBe(0);
  });
});

test('what a peer sends from another port than the one that is known of it is its own, with that port', async () => {
  await withRelay(async ({ relay, gatherer, media }) => {
    const [known, other] = [await bound(), await bound()];
    const [protocol] = Reflect.get(gatherer.connection, 'protocols') as {
      sendData(data: Buffer, to: readonly [string, number]): Promise<void>;
    }[];
    await protocol?.sendData(Buffer.from([1]), [address, known.port]);
    const packets = [Buffer.from([0x80, 1]), Buffer.from([0x80, 2])] as const;
    known.socket.send(packets[0], relay.own.port, address);
    await soon(() => media).toEqual([[packets[0], known.port]]);
    other.socket.send(packets[1], relay.own.port, address);
    await soon(() => media).toEqual([
      [packets[0], known.port],
      [packets[1], other.port],
    ]);
    known.socket.close();
    other.socket.close();
  });
});
