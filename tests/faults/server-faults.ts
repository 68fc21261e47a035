import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { openInflux } from '../influx-server.js';
import { realJanus } from '../real-janus.js';
import { kill, lastRecord, midway, reasonOf, without, withoutNetworks } from './evidence-of-fault.js';
import { type Fault, measuredFor, once, unrecordedCall } from './fault.js';

const stoppedMs = 20_000;
const influxAwayMs = 3000;

/** What befalls the servers that a run talks to, and the network between. */
export const serverFaults: readonly Fault[] = [
  once('server-killed', 'media server killed (SIGKILL) while measuring', {
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf(' serve ')) kill(pid, 'SIGKILL');
    },
    said: async (ended) => {
      const [record] = (await ended.storedRun()).records;
      expect(record?.verdict.kind).toBe('unstable');
      expect(record?.verdict.reasons[0]?.text).toMatch(/SIGKILL/);
      expect(ended.exitCode).not.toBe(0);
      return reasonOf(ended, 'server-lost');
    },
  }),
  once('server-stopped', 'media server stopped (SIGSTOP) for 20 s while measuring', {
    long: true,
    asks: measuredFor('30s', unrecordedCall),
    inject: async (tool) => {
      await midway(tool);
      const pids = await tool.pidsOf(' serve ');
      for (const pid of pids) kill(pid, 'SIGSTOP');
      await Promise.race([sleep(stoppedMs), tool.ended]);
      for (const pid of pids) kill(pid, 'SIGCONT');
    },
    said: async (ended) => {
      const record = await lastRecord(ended);
      expect(record.verdict.kind).toBe('unstable');
      return `unstable: ${record.verdict.reasons[0]?.text ?? ''}`;
    },
  }),
  once('janus-killed', 'a Janus killed (SIGKILL) while measuring', {
    long: true,
    impossible: () => without('--server', 'janus'),
    stage: async () => {
      const janus = await realJanus();
      return { args: ['--server', janus.url], befall: () => janus.kill(), close: () => janus.close() };
    },
    inject: midway,
    said: (ended) => reasonOf(ended, 'server-lost'),
  }),
  once('janus-stopped', 'a Janus stopped (SIGSTOP) for 20 s while measuring', {
    long: true,
    impossible: () => without('--server', 'janus'),
    asks: measuredFor('30s', unrecordedCall),
    stage: async () => {
      const janus = await realJanus();
      return {
        args: ['--server', janus.url],
        befall: async () => {
          kill(janus.pid, 'SIGSTOP');
          await sleep(stoppedMs);
          kill(janus.pid, 'SIGCONT');
        },
        close: () => janus.close(),
      };
    },
    inject: midway,
    said: async (ended) => {
      const { records } = await ended.storedRun();
      const told = records.map(({ verdict }) => `${verdict.kind}: ${verdict.reasons[0]?.text ?? ''}`);
      // A baseline that failed is tried again.
      expect(told[0], told.join('; ')).toMatch(/^unstable: /);
      return told[0] ?? '';
    },
  }),
  once('influx-killed', 'InfluxDB killed (SIGKILL) while measuring, and started again 3 s later', {
    long: true,
    impossible: () => (spawnSync('influxd', ['version']).status === 0 ? undefined : 'needs influxd'),
    stage: async () => {
      const influx = await openInflux();
      return {
        args: ['--influx', influx.address],
        env: { LOADLINE_INFLUX_USER: influx.user, LOADLINE_INFLUX_PASSWORD: influx.password },
        befall: async () => {
          await influx.kill();
          await sleep(influxAwayMs);
          await influx.start();
        },
        close: () => influx.dispose(),
      };
    },
    inject: midway,
    said: async (ended) => {
      expect(ended.exitCode, ended.stderr).toBe(0);
      // Reset, where a request was under way when it died.
      expect(ended.stderr).toMatch(/does not take points \(ECONN(REFUSED|RESET)\)/);
      const [account, written, given] = /(\d+) of (\d+) points written[^\n]*/.exec(ended.stderr) ?? [];
      expect(written).toBe(given);
      return `the trial is not touched; ${account}`;
    },
  }),
  once('coturn-killed', 'coturn killed (SIGKILL) while measuring', {
    long: true,
    impossible: () => without('--turn', 'turnserver'),
    asks: [...unrecordedCall, '--turn', 'udp'],
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('turnserver.conf')) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'turn-lost'),
  }),
  once('box-killed', 'the User-mode Linux that shapes the network killed (SIGKILL) while measuring', {
    long: true,
    impossible: () => without('--network', 'linux.uml') ?? withoutNetworks(),
    asks: [...unrecordedCall, '--network', '40ms'],
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('linux.uml')) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'environment'),
  }),
];
