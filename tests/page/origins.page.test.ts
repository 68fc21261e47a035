import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';
import { type Browser, chromium, expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';

/** Asks an embedded server over a WebSocket and tells its parent what came of it: a pipeline's name, or `refused`. */
const attack = (url: string) => `<script>
  const say = (what) => parent.postMessage(what, '*');
  const socket = new WebSocket('${url}');
  socket.onerror = () => say('refused');
  socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'create', params: { type: 'MediaPipeline' } }));
  socket.onmessage = ({ data }) => say(JSON.parse(data).result.value);
</script>`;

let browser: Browser;
let server: EmbeddedServer;
test.beforeAll(async () => {
  const found = await findChromium({ env });
  if (!found) throw new Error('this test needs a Chromium');
  browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
  server = await startEmbeddedServer({ port: 0 });
});
test.afterAll(async () => {
  await browser.close();
  await server.close();
});

test('no page of another origin drives an embedded server without a token: not from another port, not from a sandboxed frame', async () => {
  const http = createServer((request, response) => {
    const frame = attack(server.url).replaceAll('"', '&quot;');
    const body = `<iframe ${request.url === '/null' ? 'sandbox="allow-scripts" ' : ''}srcdoc="${frame}"></iframe>`;
    const heard =
      '<script>window.heard = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data)));</script>';
    response.writeHead(200, { 'content-type': 'text/html' }).end(heard + body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const page = await browser.newPage();
  try {
    for (const place of [
      `http://127.0.0.1:${port}/page`,
      `http://localhost:${port}/page`,
      `http://127.0.0.1:${port}/null`,
    ]) {
      await page.goto(place);
      expect(await page.evaluate('window.heard'), place).toBe('refused');
    }
    const resources = await fetch(`http://127.0.0.1:${server.port}/loadline/resources`);
    expect(await resources.json()).toMatchObject({ pipelines: 0 });
  } finally {
    await page.close();
    http.close();
    http.closeAllConnections();
  }
});
