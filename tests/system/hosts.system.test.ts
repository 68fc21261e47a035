import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const hasNats = spawnSync('sh', ['-c', 'command -v nats-server']).status === 0;
const windows = ['--measure', '12s', '--settle', '25s', '--media', 'encoded'];
const twoHosts = ['--hosts', 'local:2'];

/** Which host each probe of a trial was on. */
const placesOf = ({ probes }: TrialRecord) => probes.map(({ participant, host }) => `${participant.id} ${host}`);

test.describe('probes on two hosts behind a real nats-server', () => {
  test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  test('callers and callees are on different hosts, every sample arrives, and nothing is left behind', async () => {
    const ended = await workshop.start(['try', 'one-to-one', '--size', '2', ...windows, ...twoHosts]).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const run = await ended.storedRun();
    const [, record] = run.records;
    expect(record && placesOf(record)).toEqual(['1a local-1', '1b local-2', '2a local-1', '2b local-2']);
    const cores = expect.any(Number);
    const beganLateMs = expect.any(Number);
    expect(record?.hosts).toEqual([
      { id: 'local-1', besideConductor: true, cores, beganLateMs },
      { id: 'local-2', besideConductor: true, cores, beganLateMs },
    ]);
    const { value: evidence } = await run.readEvidence(2);
    expect(new Set(evidence.probeHost.map(({ host }) => host))).toEqual(new Set(['local-1', 'local-2']));
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });

  test('a server whose up-link carries two calls is found to hold two, as by one host', async () => {
    // The size that holds and the one that fails, and none beyond.
    const sizes = ['--from', '2', '--max', '3', '--confirm', '1'];
    const asked = ['find', 'one-to-one', '--egress-limit', '3mbit', ...sizes];
    const ended = await workshop.start([...asked, ...windows, ...twoHosts]).ended;
    const result = ended.result();
    expect(result.limit, ended.stderr).toEqual({ stable: 2, unstable: 3, flaky: [] });
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });
});
