import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { turnProtocols } from '../../model/turn.js';
import { isInstalled } from '../installed.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const hasCoturn = isInstalled(['turnserver']);
/** Whether what the short way shows as well is tried, too. */
const all = env.LOADLINE_ALL_FAULTS === '1';
const oneCall = [
  'try',
  'one-to-one',
  '--size',
  '1',
  '--no-record',
  '--measure',
  '10s',
  '--settle',
  '2s',
  '--no-warm-up',
];

test.describe('calls through a real coturn', () => {
  test.skip(!hasCoturn, 'coturn is not installed (apt-get install coturn)');
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(async () => {
    const [processes, files] = [await workshop.processesLeft(), await workshop.filesLeft()];
    await workshop.dispose();
    expect(processes).toEqual([]);
    expect(files).toEqual([]);
  });

  for (const protocol of turnProtocols) {
    test(`a call over ${protocol} carries media, and each probe proves that it was relayed`, async () => {
      test.skip(protocol === 'tcp' && !all, 'as over tls, without its handshake: LOADLINE_ALL_FAULTS=1');
      const ended = await workshop.start([...oneCall, '--turn', protocol]).ended;
      const run = await ended.storedRun();
      const record = run.records.at(-1);
      expect(run.manifest.turn, ended.stderr).toMatchObject({ protocol, ours: true });
      expect(record?.probes.map(({ up, routes }) => ({ up, routes }))).toEqual([
        { up: true, routes: [expect.objectContaining({ candidateType: 'relay', relayProtocol: protocol })] },
        { up: true, routes: [expect.objectContaining({ candidateType: 'relay', relayProtocol: protocol })] },
      ]);
      const received = record?.streams.filter((stream) => stream.direction === 'receive') ?? [];
      expect(received).toHaveLength(4);
      for (const { values } of received) expect(values.bitrateKbps).toBeGreaterThan(10);
      expect(record?.turn).toMatchObject({ allocations: 2, refused: 0, complete: true });
      expect(record?.turn?.bytesToProbes).toBeGreaterThan(200_000);
      expect(record?.load.turnCoresMean).toBeGreaterThan(0);
      expect(run.manifest.command.join(' ')).toContain(`--turn ${protocol}`);
      expect(storedText(run.directory)).not.toMatch(/static-auth-secret|"credential"/);
    });
  }

  const relayedNatives = all ? turnProtocols : (['tls'] as const);
  for (const protocol of relayedNatives) {
    test(`native probes and the browsers among them are relayed over ${protocol}, see the same, and give all addresses back`, async () => {
      const flags = ['--media', 'native', '--measure', '10s', '--settle', '5s', '--no-warm-up', '--turn', protocol];
      const ended = await workshop.start(['try', 'broadcast', '--size', '5', ...flags]).ended;
      const record = (await ended.storedRun()).records.at(-1);
      expect(record?.verdict.kind, `${ended.stderr} ${JSON.stringify(record?.verdict.reasons)}`).toBe('stable');
      expect(record?.probes.filter(({ native }) => native)).toHaveLength(2);
      for (const { routes } of record?.probes ?? []) {
        expect(routes).toEqual([expect.objectContaining({ candidateType: 'relay', relayProtocol: protocol })]);
      }
      expect(record?.turn).toMatchObject({ allocations: 6, refused: 0, complete: true });
    });
  }

  test('a coturn of ours that is killed in mid-trial makes the trial void, by that name, and the next trial has a new one', async () => {
    const tool = workshop.start([...oneCall, '--turn', 'udp']);
    await tool.inPhase('measure');
    await sleep(2000);
    for (const pid of await tool.pidsOf('turnserver.conf')) kill(pid);
    const run = await (await tool.ended).storedRun();
    const [first, second] = run.records;
    expect(first?.verdict.kind).toBe('void');
    expect(first?.verdict.reasons).toMatchObject([{ code: 'turn-lost', text: expect.stringContaining('SIGKILL') }]);
    expect((await run.readSamples(1)).value.length).toBeGreaterThan(0);
    expect(second?.probes.map(({ up }) => up)).toEqual([true, true]);
    expect(second?.verdict.reasons.map(({ code }) => code)).not.toContain('turn-lost');
  });
});

/** Everything that a run has written, compressed files included. */
function storedText(directory: string): string {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .map((bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString())
    .join('\n');
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its shell, which was killed before it.
  }
}
