import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { isRunning } from '../../host/processes.js';
import type { TrialRecord } from '../../model/trial.js';
import { mayChangeNetworks } from '../../server-setup/network/means.js';
import { ownerOf } from '../../server-setup/network/names.js';
import { isInstalled } from '../installed.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const hasNats = isInstalled(['nats-server']);
const canImpair = mayChangeNetworks(readFileSync('/proc/self/status', 'utf8'));
const hasNsenter = isInstalled(['nsenter', 'ip']);
/** Hosts on this machine have a network each where that can be had. */
const apart = canImpair && hasNsenter ? { ownNetwork: true } : {};
const namespacesLeft = () =>
  existsSync('/run/netns') ? readdirSync('/run/netns').filter((name) => isOfDead(ownerOf('namespace', name))) : [];
const isOfDead = (owner: number | undefined) => owner !== undefined && !isRunning(owner);
/** `npm run faults` takes all of them. */
const all = process.env.LOADLINE_ALL_FAULTS === '1';
const windows = ['--measure', '12s', '--settle', '15s', '--media', 'encoded'];
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
    const quick = ['--measure', '10s', '--settle', '5s', '--media', 'encoded', '--no-warm-up'];
    const ended = await workshop.start(['try', 'one-to-one', '--size', '2', ...quick, ...twoHosts]).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const run = await ended.storedRun();
    const [, record] = run.records;
    expect(record && placesOf(record)).toEqual(['1a local-1', '1b local-2', '2a local-1', '2b local-2']);
    const cores = expect.any(Number);
    const beganLateMs = expect.any(Number);
    expect(record?.hosts).toEqual([
      { id: 'local-1', besideConductor: true, ...apart, cores, beganLateMs },
      { id: 'local-2', besideConductor: true, ...apart, cores, beganLateMs },
    ]);
    const { value: evidence } = await run.readEvidence(2);
    expect(new Set(evidence.probeHost.map(({ host }) => host))).toEqual(new Set(['local-1', 'local-2']));
    expect(namespacesLeft()).toEqual([]);
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });

  test('native probes and the browsers among them are on both hosts, each kind in its share, and see the same', async () => {
    test.skip(!all, 'arriving ones are in the suite (arrivals.system.test.ts): part of npm run faults');
    const flags = ['--media', 'native', '--measure', '12s', '--settle', '8s'];
    const ended = await workshop.start(['try', 'one-to-one', '--size', '5', ...flags, ...twoHosts]).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const run = await ended.storedRun();
    const record = run.records.at(-1);
    expect(record?.verdict.kind, JSON.stringify(record?.verdict.reasons)).toBe('stable');
    const shares = ['local-1', 'local-2'].map((host) => {
      const own = record?.probes.filter((one) => one.host === host) ?? [];
      return [own.length, own.filter(({ native }) => native).length];
    });
    expect(shares).toEqual([
      [5, 2],
      [5, 2],
    ]);
    const native = new Set(record?.probes.flatMap((one) => (one.native ? one.participant.id : [])));
    const frames = (isNative: boolean) =>
      record?.streams.flatMap(({ probe, direction, kind, values: { fps } }) =>
        native.has(probe) === isNative && direction === 'receive' && kind === 'video' ? (fps ?? 0) : [],
      ) ?? [];
    expect([frames(true).length, frames(false).length]).toEqual([4, 6]);
    expect(Math.min(...frames(true), ...frames(false))).toBeGreaterThan(25);
    const { value: evidence } = await run.readEvidence(record?.index ?? 0);
    const drops = evidence.probeHost.flatMap(({ host, socketDrops }) => (socketDrops === undefined ? [] : host));
    expect(new Set(drops)).toEqual(new Set(['local-1', 'local-2']));
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });

  test('a server whose up-link carries two calls is found to hold two, as by one host', async () => {
    test.skip(!all, 'one host finds it in the suite, and two hosts play: part of npm run faults');
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

test.describe('what probes on several hosts are for', () => {
  test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');
  test.skip(!all, 'takes minutes: part of npm run faults');
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  test('on three hosts a server whose up-link carries two calls is found to hold two, three times of three, with the ends of a call apart', async () => {
    const limits: unknown[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const sizes = ['--from', '2', '--max', '3', '--confirm', '1', '--hosts', 'local:3'];
      const asked = ['find', 'one-to-one', '--egress-limit', '3mbit', ...sizes];
      const ended = await workshop.start([...asked, ...windows]).ended;
      limits.push(ended.result().limit);
      const hosts = (await ended.storedRun()).records.flatMap(({ probes }) => hostsOfCalls(probes));
      expect(hosts.filter((count) => count !== 2)).toEqual([]);
    }
    expect(limits).toEqual(Array(3).fill({ stable: 2, unstable: 3, flaky: [] }));
    expect(await workshop.processesLeft()).toEqual([]);
    expect(namespacesLeft()).toEqual([]);
  });

  test('viewers of a broadcast on two hosts all see it', async () => {
    const ended = await workshop.start(['try', 'broadcast', '--size', '2', ...windows, ...twoHosts]).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const record = (await ended.storedRun()).records.at(-1);
    expect(record && placesOf(record)).toEqual(['1p local-1', '1v1 local-2', '1v2 local-1']);
  });

  test('browsers that come and go on two hosts find what they find on one, with the ends of each call apart', async () => {
    test.setTimeout(900_000);
    // Who leaves is gone before the next one comes, who would be a third call for a moment.
    const asked = ['find', 'one-to-one', '--by', 'arrivals', '--media', 'encoded', '--per', '10s', '--hold', '9s'];
    const pass = ['--measure', '20s', '--max', '4', '--confirm', '1', '--egress-limit', '2500kbit'];
    const ended = await workshop.start([...asked, ...pass, ...twoHosts]).ended;
    expect(ended.result().limit.stable, ended.stderr).toBe(2);
    const { records } = await ended.storedRun();
    for (const { probes } of records) {
      expect(new Set(hostsOfCalls(probes))).toEqual(new Set([2]));
      expect(probes.some(({ there }) => there?.untilMs !== undefined)).toBe(true);
    }
    expect(await workshop.processesLeft()).toEqual([]);
    expect(namespacesLeft()).toEqual([]);
  });

  test('each of two hosts measures the links of its own probes, and both see the delay that was set', async () => {
    test.skip(!canImpair, 'impaired networks need root');
    const network = ['--network', '40ms', '--no-warm-up'];
    const ended = await workshop.start(['try', 'one-to-one', '--size', '1', ...network, ...windows, ...twoHosts]).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const record = (await ended.storedRun()).records.at(-1);
    expect(record?.network?.checks.map(({ host }) => host)).toEqual(['local-1', 'local-2']);
    const roundTrips = record?.streams.flatMap(({ values }) => values.rttMs ?? []) ?? [];
    expect(Math.min(...roundTrips)).toBeGreaterThan(75);
    expect(namespacesLeft()).toEqual([]);
  });
});

/** Of each call, on how many hosts its ends are. */
function hostsOfCalls(probes: TrialRecord['probes']): readonly number[] {
  const calls = [...new Set(probes.map(({ participant }) => participant.session))];
  const hostsOf = (call: string) => probes.flatMap((one) => (one.participant.session === call ? (one.host ?? []) : []));
  return calls.map((call) => new Set(hostsOf(call)).size);
}
