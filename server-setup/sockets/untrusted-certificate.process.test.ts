import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { aJanus } from '../janus/janus-options.js';
import { JanusServer } from '../janus/janus-server.js';
import { makeCertificate } from '../turn/certificate.js';
import { askHttp } from '../whip/http-request.js';
import { openSocket } from './open-socket.js';

const { signal } = new AbortController();
let server: Server;
let where: string;

test.beforeEach(async () => {
  const { certificatePem: cert, keyPem: key } = await makeCertificate();
  server = createServer({ cert, key }, (_, response) => response.end('somebody')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  where = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

test('a certificate that nobody vouches for is named as that, with what to do, by WebSocket, HTTP and WHIP', async () => {
  const janus = new JanusServer({ url: `janus+https://${where}`, maxVideoKbps: 500, videoCodec: 'vp8' });
  const order = { method: 'OPTIONS', url: `https://${where}/whip`, headers: {}, timeoutMs: 4000 } as const;
  const tries = [
    openSocket({ address: { url: `wss://${where}` }, timeoutMs: 4000, expected: aJanus }, signal),
    janus.start(signal),
    askHttp(order),
  ];
  const errors = (await Promise.allSettled(tries)).map((ended) => (ended.status === 'rejected' ? ended.reason : ended));
  await janus.stop();
  for (const error of errors) {
    expect(error).toMatchObject({
      code: 'E_SERVER_PROTOCOL',
      message: expect.stringMatching(/^The certificate of \S+ is not trusted\.$/),
      why: expect.stringContaining('self-signed certificate'),
      todo: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  }
});
