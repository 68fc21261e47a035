import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { AlertEntry } from '../model/monitor.js';
import { commandTarget } from './command.js';
import { mailTarget } from './mail.js';
import { tell } from './tell-all.js';
import { webhookTarget } from './webhook.js';

const alert: AlertEntry = {
  type: 'alert',
  id: 'calls@2026-11-21T14:20:00.000Z',
  atMs: Date.UTC(2026, 10, 21, 14, 20, 30),
  watch: 'calls',
  kind: 'regressed',
  level: 'regressed',
  text: 'calls: regressed. 4 calls unstable.',
  reasons: ['4 calls unstable.', 'The limit fell: now 3.'],
  run: '2026-11-21T14-20-00-one-to-one-embedded',
};
const soon = () => AbortSignal.timeout(10_000);
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const clock = { nowMs: () => 7, sleep: async () => {} };

/** A web server that answers with these codes, one after the other, and keeps what it was sent. */
async function aWebhook(...codes: readonly number[]) {
  const bodies: string[] = [];
  const server = createHttp((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(codes[bodies.length - 1] ?? 200).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { bodies, url: `http://127.0.0.1:${portOf(server)}/secret-token`, close: () => server.close() };
}

test('a webhook gets JSON with a text that Slack shows, and all evidence in it', async () => {
  const hook = await aWebhook();
  await webhookTarget(hook.url).tell(alert, soon());
  hook.close();
  const sent = JSON.parse(hook.bodies[0] ?? '');
  expect(sent).toMatchObject({ watch: 'calls', kind: 'regressed', run: alert.run, reasons: alert.reasons });
  expect(sent.text).toBe('calls: regressed. 4 calls unstable.\n• The limit fell: now 3.');
});

test('a webhook that fails is tried again, and its secret address is in no message', async () => {
  const hook = await aWebhook(500, 200);
  const told = await tell(webhookTarget(hook.url), alert, clock, soon());
  expect(told).toEqual({ type: 'told', atMs: 7, alert: alert.id, target: 'webhook', ok: true });
  expect(hook.bodies).toHaveLength(2);
  hook.close();
  const dead = await tell(webhookTarget(hook.url), alert, clock, soon());
  expect(dead).toMatchObject({ ok: false });
  expect(dead.error).toMatch(/^the webhook cannot be reached: \w+$/);
  const refused = await aWebhook(403, 403, 403);
  const no = await tell(webhookTarget(refused.url), alert, clock, soon());
  refused.close();
  expect(no.error).toBe('the webhook answered 403 Forbidden');
});

/** Of a server without TLS, which does not know the command (RFC 3207, RFC 5321 4.2.4). */
const answers: Readonly<Record<string, string>> = { QUIT: '221 bye\r\n', STARTTLS: '502 not implemented\r\n' };

/** As much SMTP (RFC 5321) as a mail takes. */
async function aMailServer() {
  let mail = '';
  const said: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    socket.write('220 test ESMTP\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        if (!inData) said.push(line);
        if (inData) {
          mail += `${line}\n`;
          if (line === '.') {
            inData = false;
            socket.write('250 taken\r\n');
          }
        } else if (line === 'DATA') {
          inData = true;
          socket.write('354 go on\r\n');
        } else socket.write(answers[line] ?? '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { mail: () => mail, said: () => said, url: `smtp://127.0.0.1:${portOf(server)}`, close: () => server.close() };
}

test('a mail has the watch in its subject, and text, time, run and report in its body', async () => {
  const server = await aMailServer();
  const target = mailTarget({
    runs: '/var/runs',
    server: server.url,
    from: 'loadline@example.org',
    to: ['a@example.org', 'b@example.org'],
  });
  await target.tell(alert, soon());
  server.close();
  expect(server.mail()).toContain('Subject: [loadline] calls: regressed');
  expect(server.mail()).toContain('To: a@example.org, b@example.org');
  expect(server.mail()).toContain('4 calls unstable.');
  expect(server.mail()).toContain('2026-11-21T14:20:30.000Z');
  const unwrapped = server.mail().replaceAll('=\n', '');
  expect(unwrapped).toContain(`Run  /var/runs/${alert.run}`);
  expect(unwrapped).toContain(`Page loadline report /var/runs/${alert.run}`);
});

test('a password is shown to no mail server that offers no TLS', async () => {
  const server = await aMailServer();
  const target = mailTarget({
    runs: '/var/runs',
    server: server.url.replace('//', '//watch@'),
    from: 'loadline@example.org',
    to: ['a@example.org'],
    password: 'hunter2',
  });
  await expect(target.tell(alert, soon())).rejects.toThrow(/the mail was not taken/);
  server.close();
  expect(server.said().some((line) => line.startsWith('AUTH'))).toBe(false);
  expect(server.mail()).toBe('');
});

test('a mail server that is not there is a failure that says so', async () => {
  const server = await aMailServer();
  server.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const target = mailTarget({ runs: '/var/runs', server: server.url, from: 'a@example.org', to: ['b@example.org'] });
  await expect(target.tell(alert, soon())).rejects.toThrow(/the mail was not taken: .*ECONNREFUSED/);
  expect(target.todo).toContain(new URL(server.url).host);
});

test('a command gets the alert on its standard input; its exit code and last words are the failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-alert-'));
  await commandTarget(`cat > ${folder}/got.json`).tell(alert, soon());
  expect(JSON.parse(readFileSync(join(folder, 'got.json'), 'utf8'))).toMatchObject({ id: alert.id });
  rmSync(folder, { recursive: true });
  await expect(commandTarget('echo no pager >&2; exit 3').tell(alert, soon())).rejects.toThrow(
    'ended with 3: no pager',
  );
});

test('a command that hangs is ended with all it started', async () => {
  const began = Date.now();
  await expect(commandTarget('sleep 60 & sleep 60').tell(alert, AbortSignal.timeout(200))).rejects.toThrow('in time');
  expect(Date.now() - began).toBeLessThan(5000);
});
