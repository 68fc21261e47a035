import { expect, test } from '@playwright/test';
import type { ProbeHostReading } from '../../model/evidence.js';
import { aSample } from '../../tests/stored-run.js';
import { HostLags, hostCurves, hostPointMs } from './host-curves.js';

const reading = (host: string, atMs: number, more: Partial<ProbeHostReading> = {}): ProbeHostReading => ({
  ...{ host, atMs, cores: 4, busyCores: 1, stealCores: 0, probeCores: 0.5, memoryAvailableMb: 900 },
  ...more,
});
const span = { fromMs: 0, toMs: 10_000, zeroMs: 0, binMs: 1000 };

test('each of several hosts has curves of its own: CPU, memory, link, page timers, and steal where there was some', () => {
  const lags = new HostLags();
  lags.add({ ...aSample('1a', 2100), host: 'b', lateMs: 40 });
  lags.add({ ...aSample('2a', 2900), host: 'b', lateMs: 90 });
  const readings = [reading('a', 2000), reading('b', 2000, { stealCores: 0.4, linkKbps: 800, linkSpeedKbps: 1000 })];
  const curves = hostCurves(readings, lags, span);
  expect(curves.filter(({ host }) => host === 'a').map(({ label }) => label)).toEqual([
    'probes of probe host a',
    'whole probe host a',
    'probe host a, available',
  ]);
  const ofB = Object.fromEntries(curves.filter(({ host }) => host === 'b').map(({ label, values }) => [label, values]));
  expect(ofB).toMatchObject({
    'taken from probe host b by other virtual machines': [0.4],
    'probe host b, its own link': [800],
    'page timers of probe host b, the latest': [90],
  });
});

test('of so many hosts that their curves would fill the report, each point is the worst of its seconds', () => {
  const hosts = Array.from({ length: 100 }, (_, nth) => `h${nth}`);
  const seconds = Array.from({ length: 600 }, (_, nth) => nth * 1000);
  const long = { fromMs: 0, toMs: 600_000, zeroMs: 0, binMs: 1000 };
  const readings = seconds.flatMap((atMs) =>
    hosts.map((host) => reading(host, atMs, atMs === 7000 ? { busyCores: 3.9, memoryAvailableMb: 100 } : {})),
  );
  expect(hostPointMs(readings, long)).toBe(5000);
  const own = hostCurves(readings, new HostLags(), long).filter(({ host }) => host === 'h42');
  expect(own.find(({ label }) => label === 'whole probe host h42')?.values.slice(0, 3)).toEqual([1, 3.9, 1]);
  expect(own.find(({ unit }) => unit === 'MB')?.values.slice(0, 3)).toEqual([900, 100, 900]);
  expect(own[0]?.values).toHaveLength(120);
});
