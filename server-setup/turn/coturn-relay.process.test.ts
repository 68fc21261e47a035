import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { processSpace } from '../../host/process-space.js';
import { removeTied, tied } from '../../host/tied-process.js';
import { LoadlineError } from '../../model/errors.js';
import { turnProtocols } from '../../model/turn.js';
import { long } from '../../tests/effort.js';
import { isInstalled } from '../../tests/installed.js';
import { soon } from '../../tests/soon.js';
import { pingTurnServer, proveTurnServer } from './ask-turn-server.js';
import { turnFolders } from './coturn-config.js';
import { startCoturn } from './coturn-process.js';
import { CoturnRelay } from './coturn-relay.js';
import { givenRelay } from './given-relay.js';
import type { OpenRelay } from './turn-relay.js';
import { parseTurnUrl } from './turn-url.js';

const hasCoturn = isInstalled(['turnserver']);
test.skip(!hasCoturn, 'coturn is not installed (apt-get install coturn)');

const never = new AbortController().signal;
let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-coturn-test-'));
});
test.afterEach(async () => {
  try {
    // A killed process is there until the kernel has ended it.
    await soon(() => processesOf(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Command lines that name the folder. */
function processesOf(name: string): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args', '-ww']).toString().split('\n');
  return lines.filter((line) => line.includes(`${name}/`));
}

/** coturn itself, not the shell above it, whose script names it. */
function coturnIn(name: string): number {
  const [pid] = processesOf(name).flatMap((line) => /^\s*(\d+) turnserver /.exec(line)?.[1] ?? []);
  return Number(pid);
}

function relayIn(root: string, protocol: (typeof turnProtocols)[number]) {
  return new CoturnRelay({ protocol, relayAddress: async () => '127.0.0.1', temporaryRoot: root });
}

async function withOpen(
  protocol: (typeof turnProtocols)[number],
  scene: (open: OpenRelay, lost: readonly string[]) => Promise<void>,
): Promise<void> {
  const relay = relayIn(folder, protocol);
  const lost: string[] = [];
  try {
    const open = await relay.open({ lifetimeMs: 60_000, onLost: (detail) => lost.push(detail) }, never);
    await scene(open, lost);
    await open.close();
  } finally {
    await relay.stop();
  }
}

for (const protocol of turnProtocols) {
  test(`a coturn of our own gives a relay over ${protocol}, and leaves nothing`, async () => {
    const relay = relayIn(folder, protocol);
    const facts = await relay.start(never);
    expect(facts).toMatchObject({ protocol, ours: true, sameHost: true });
    expect(facts.name).toMatch(/^coturn \d/);
    await relay.stop();
    expect(readdirSync(folder)).toEqual([]);
  });
}

test('while it runs its secret is neither on disk nor on a command line, and only its owner may look into its folder', async () => {
  await withOpen('tls', async (open) => {
    const [name = ''] = readdirSync(folder);
    expect(readdirSync(join(folder, name)).sort()).toEqual(['pid', 'turndb']);
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(processesOf(folder).join()).not.toContain('secret');
    // Of this process's own environment, which may hold any login.
    expect(readFileSync(`/proc/${coturnIn(folder)}/environ`, 'utf8')).not.toContain('TEST_WORKER_INDEX=');
    expect(open.trustedKey).toMatch(/^[\w+/]{43}=$/);
  });
});

test('it is open to the one protocol alone, and to nobody with wrong or ended credentials', async () => {
  await withOpen('tcp', async (open) => {
    const { url, username, credential } = open.accessFor('1a');
    const address = parseTurnUrl(url);
    expect(await proveTurnServer(address, { username, credential }, 2000)).toMatch(/^Coturn/);
    const wrong = proveTurnServer(address, { username, credential: 'guessed' }, 2000);
    await expect(wrong).rejects.toThrow('401');
    const ended = { username: `1000000000:1a`, credential };
    await expect(proveTurnServer(address, ended, 2000)).rejects.toThrow('401');
    await expect(pingTurnServer({ ...address, protocol: 'udp' }, 500)).rejects.toThrow();
    await expect(pingTurnServer({ ...address, protocol: 'tls' }, 1000)).rejects.toThrow();
  });
});

test('what answers with attributes that cannot be read is no TURN server, and harms nobody', async () => {
  const server = createSocket('udp4');
  // An error (0x0113) whose code has one byte of four.
  const attribute = Buffer.from([0, 9, 0, 1, 4, 0, 0, 0]);
  server.on('message', (request, { port, address }) => {
    const answer = Buffer.concat([Buffer.from([0x01, 0x13, 0, attribute.length]), request.subarray(4, 20), attribute]);
    server.send(answer, port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  const address = parseTurnUrl(`turn:127.0.0.1:${server.address().port}?transport=udp`);
  await expect(proveTurnServer(address, { username: 'a', credential: 'b' }, 300)).rejects.toThrow('no answer');
  server.close();
});

test('a coturn that is killed is told at once, with what killed it', async () => {
  await withOpen('udp', async (_, lost) => {
    process.kill(coturnIn(folder), 'SIGKILL');
    await soon(() => lost).toEqual(['ended by SIGKILL']);
  });
});

test('a coturn that stands still is told, too', long, async () => {
  await withOpen('udp', async (_, lost) => {
    process.kill(coturnIn(folder), 'SIGSTOP');
    await soon(() => lost, { timeout: 12_000 }).toEqual([expect.stringContaining('did not answer 3 requests')]);
  });
});

test('it counts the allocations of probes and reads the CPU of its process', async () => {
  await withOpen('udp', async (open) => {
    const { url, username, credential } = open.accessFor('1a');
    await proveTurnServer(parseTurnUrl(url), { username, credential }, 2000);
    await open.resources?.();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const reading = await open.resources?.();
    expect(reading?.cpuCores).toBeGreaterThanOrEqual(0);
    expect(reading?.rssMb).toBeGreaterThan(1);
    expect(await open.usage?.()).toMatchObject({ allocations: 1, refused: 0, complete: true });
  });
});

test('when the pipe from us closes, however we end, coturn ends', async () => {
  await withOpen('udp', async () => {
    const [name = ''] = readdirSync(folder);
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(
      join(other, 'turnserver.conf'),
      'listening-ip=127.0.0.1\nno-cli\nno-auth\nlistening-port=0\nlog-file=stdout\n',
    );
    expect(name).toMatch(/^loadline-turn-/);
    const script = `
      import { spawn } from 'node:child_process';
      process.stdin.resume();
      const [shell, words] = JSON.parse(process.argv[1]);
      const child = spawn(shell, words, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 600);`;
    const command = tied(['turnserver', '-c', join(other, 'turnserver.conf')]);
    spawnSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(command)]);
    await soon(() => processesOf(other)).toEqual([]);
  });
});

test('what a killed run left is removed: its folder, and a coturn that still runs', async () => {
  const dead = spawnSync('true').pid;
  const left = join(folder, `loadline-turn-${dead}-${processSpace}-abc`);
  mkdirSync(left);
  writeFileSync(
    join(left, 'turnserver.conf'),
    `listening-ip=127.0.0.1\nlistening-port=39478\nno-cli\nno-auth\nuserdb=${left}/db\nlog-file=stdout\n`,
  );
  const process = startCoturn(join(left, 'turnserver.conf'), () => undefined);
  await soon(() => processesOf(left).length).toBeGreaterThan(0);
  const removed = await removeTied(turnFolders, folder, 'coturn');
  expect(removed.join()).toContain('coturn process');
  expect(removed.at(-1)).toBe(`the folder ${left}`);
  expect(await process.exited).toMatch(/SIGKILL/);
  expect(readdirSync(folder)).toEqual([]);
  expect(await removeTied(turnFolders, folder, 'coturn')).toEqual([]);
});

test('a given TURN server that does not answer, or refuses, says so before anything starts', async () => {
  const secrets = { kind: 'shared', secret: 'wrong' } as const;
  const nobody = givenRelay([{ address: parseTurnUrl('turn:127.0.0.1:9?transport=tcp'), secrets }]);
  await expect(nobody.start(never)).rejects.toMatchObject({ code: 'E_TURN_UNREACHABLE', why: /ECONNREFUSED/ });
  await withOpen('udp', async (open) => {
    const failure = await givenRelay([{ address: parseTurnUrl(open.accessFor('x').url), secrets }])
      .start(never)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LoadlineError);
    expect(failure).toMatchObject({
      code: 'E_TURN_UNREACHABLE',
      todo: expect.stringContaining('LOADLINE_TURN_SECRET'),
    });
    const { url, username, credential } = open.accessFor('x');
    const account = { kind: 'account', username, password: credential } as const;
    const given = { address: parseTurnUrl(url), secrets: account };
    expect(await givenRelay([given]).start(never)).toMatchObject({ ours: false, sameHost: true });
    // Of several the first that gives a relay is that of the run, and those before it are named.
    const silent = { address: parseTurnUrl('turn:127.0.0.1:9'), secrets: account };
    const several = givenRelay([silent, given]);
    expect(await several.start(never)).toMatchObject({
      url,
      passedOver: [expect.stringMatching(/^turn:127\.0\.0\.1:9\?transport=udp \(.+\)$/)],
    });
    const relay = await several.open({ lifetimeMs: 60_000, onLost: () => undefined }, never);
    expect(relay.accessFor('y')).toMatchObject({ url, username });
    await relay.close();
    await expect(givenRelay([silent, silent]).start(never)).rejects.toMatchObject({ code: 'E_TURN_UNREACHABLE' });
  });
});
