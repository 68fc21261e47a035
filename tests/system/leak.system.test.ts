import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { startLoadline } from '../cli/run-loadline.js';
import { openWorkshop, type Workshop } from './running-tool.js';

/**
 * A call of encoded probes makes the server send 1.13 Mbit/s (two directions of 500 kbit/s of video, 40 of audio, and
 * headers). So a fresh server carries 5.3 calls, and each session that was ever opened takes a tenth of what is left:
 * three calls of a fresh one have room for 3.9 (3.5 where a call before them warmed it up), four for 3.5 (3.1), and two
 * calls have too little when a dozen were there before.
 */
const leaking = ['--egress-limit', '6mbit', '--leak', '10%'];
const question = ['find', 'one-to-one', '--media', 'encoded', '--no-record', '--max', '5'];
const windows = ['--settle', '8s', '--measure', '10s', '--pace', '8/s'];

/** A leaking server, and the address at which a request starts it anew. */
interface LeakingServer {
  readonly url: string;
  readonly restartUrl: string;
  close(): Promise<void>;
}

async function serve(port: number): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = startLoadline(['serve', '--port', String(port), '--exit-with-stdin', ...leaking]);
  const [said] = await once(child.stdout, 'data');
  const url = /^listening ws:(\S+)\/kurento$/m.exec(String(said))?.[1];
  if (url === undefined) throw new Error(`the server said ${String(said)}`);
  return { child, url: `kurento:${url}` };
}

async function leakingServer(): Promise<LeakingServer> {
  let server = await serve(0);
  const end = async () => {
    server.child.kill('SIGTERM');
    await once(server.child, 'close');
  };
  const restarts: Server = createServer((_request, response) => {
    const again = async () => {
      await end();
      server = await serve(Number(new URL(server.url).port));
    };
    again().then(
      () => response.writeHead(204).end(),
      () => response.writeHead(500).end(),
    );
  });
  await once(restarts.listen(0, '127.0.0.1'), 'listening');
  return {
    url: server.url,
    restartUrl: `http://127.0.0.1:${(restarts.address() as AddressInfo).port}`,
    close: async () => {
      restarts.closeAllConnections();
      restarts.close();
      await end();
    },
  };
}

test.describe('a media server that loses a tenth of its up-link with each session ever opened', () => {
  let workshop: Workshop;
  let server: LeakingServer;
  test.skip(process.env.LOADLINE_ALL_FAULTS === undefined, 'takes seven minutes: part of `npm run faults`');
  test.beforeEach(async () => {
    workshop = await openWorkshop();
    server = await leakingServer();
  });
  test.afterEach(async () => {
    await server.close();
    await workshop.dispose();
  });

  test('is found to get worse, and no size is called its limit', async () => {
    const ended = await workshop.start([...question, '--confirm', '2', '--server', server.url, ...windows]).ended;
    expect(ended.exitCode, ended.stderr).toBe(4);
    const result = ended.result();
    expect(result.outcome).toBe('drifting');
    expect(result.drift?.fresh?.size).toBeGreaterThanOrEqual(2);
    expect(result.drift?.end?.size ?? 0).toBeLessThan(result.drift?.fresh?.size ?? 0);
  });

  test('has a limit, and the right one, when it is started anew before each trial', async () => {
    const node = JSON.stringify(process.execPath);
    const command = `${node} -e 'fetch("${server.restartUrl}").then(({ ok }) => process.exit(ok ? 0 : 1))'`;
    const reset = ['--reset', 'restart', '--reset-command', command];
    const ended = await workshop.start([...question, '--confirm', '1', '--server', server.url, ...reset, ...windows])
      .ended;
    const result = ended.result();
    expect(result.limit, ended.stderr).toEqual({ stable: 3, unstable: 4, flaky: [] });
    expect(result.outcome).toBe('found');
    expect(ended.exitCode).toBe(0);
  });
});
