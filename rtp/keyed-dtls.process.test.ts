import { expect, test } from '@playwright/test';
import {
  defaultPeerConfig,
  Event,
  ProtectionProfileAes128CmHmacSha1_80,
  RTCDtlsParameters,
  RTCDtlsTransport,
  type RTCIceTransport,
} from 'werift';
import { seededRandom } from '../model/seeded-random.js';
import { KeyedDtlsTransport } from './keyed-dtls.js';

/** A network between two ends: what becomes of a datagram, and after how many milliseconds it comes. */
type Fate = () => readonly number[];

class End {
  readonly onData = new Event<[Buffer]>();
  readonly sent: Buffer[] = [];
  far: End | undefined;
  readonly #fate: Fate;

  constructor(fate: Fate) {
    this.#fate = fate;
  }

  async send(datagram: Buffer): Promise<void> {
    this.sent.push(datagram);
    for (const ms of this.#fate()) setTimeout(() => this.far?.onData.execute(datagram), ms);
  }

  close(): void {
    this.far = undefined;
  }
}

async function shakeHands(fate: Fate) {
  const certificate = await RTCDtlsTransport.SetupCertificate();
  const ends = [new End(fate), new End(fate)] as const;
  [ends[0].far, ends[1].far] = [ends[1], ends[0]];
  const [client, server] = ends.map(
    (connection) =>
      new KeyedDtlsTransport(defaultPeerConfig, { connection } as unknown as RTCIceTransport, certificate, [
        ProtectionProfileAes128CmHmacSha1_80,
      ]),
  ) as [KeyedDtlsTransport, KeyedDtlsTransport];
  client.role = 'client';
  server.role = 'server';
  const { fingerprints } = client.localParameters;
  client.setRemoteParams(new RTCDtlsParameters([...fingerprints], 'server'));
  server.setRemoteParams(new RTCDtlsParameters([...fingerprints], 'client'));
  await Promise.all([client.start(), server.start()]);
  for (const { dtls } of [client, server]) dtls?.close();
  return { keys: [client, server].map(({ dtls }) => dtls?.extractSessionKeys(16, 14)), ends };
}

test('each flight that fits goes out in one datagram', async () => {
  const { ends } = await shakeHands(() => [0]);
  // Two hellos, and the last flight; the request to say hello again, the server's flight, and its last one.
  expect(ends.map(({ sent }) => sent.length)).toEqual([3, 3]);
});

test('whatever is lost, comes twice or in another order: both ends come to the same keys', async () => {
  const shaken = Array.from({ length: 60 }, (_, seed) => {
    const random = seededRandom(seed);
    const delayMs = () => 40 + 30 * random();
    return shakeHands(() => [delayMs(), ...(random() < 0.1 ? [delayMs()] : [])].filter(() => random() > 0.15));
  });
  for (const { keys } of await Promise.all(shaken)) {
    const [client, server] = keys;
    expect(client?.localKey).toEqual(server?.remoteKey);
    expect(client?.remoteKey).toEqual(server?.localKey);
  }
});
