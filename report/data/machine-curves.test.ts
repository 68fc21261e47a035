import { expect, test } from '@playwright/test';
import { machineCurves } from './machine-curves.js';

const span = { fromMs: 0, toMs: 10_000, zeroMs: 1000, binMs: 1000 };
const named = ({ of, label, unit }: { of: string; label: string; unit: string }) => `${of}: ${label}, ${unit}`;

test('what a TURN server of ours used, dropped and had open is drawn beside server and probe host', () => {
  const curves = machineCurves(
    {
      probeHost: [],
      server: [{ atMs: 2000, cpuCores: 0.5 }],
      turn: [
        { atMs: 2000, cpuCores: 0.1, rssMb: 12, udpDrops: 0, allocations: 4 },
        { atMs: 3000, cpuCores: 0.2, rssMb: 12, udpDrops: 7, allocations: 4 },
      ],
    },
    span,
  );
  expect(curves.map(named)).toEqual([
    'server: server, cores',
    'TURN server: TURN server, cores',
    'TURN server: TURN server, MB',
    'TURN server: TURN server, open, relays',
    'TURN server: TURN server, dropped, datagrams',
  ]);
  expect(curves.at(-1)).toMatchObject({ atS: [1, 2], values: [0, 7] });
});

test('a run without a relay has no curve of one, and what was never read is no zero', () => {
  const curves = machineCurves({ probeHost: [], server: [{ atMs: 2000, rssMb: 80 }] }, span);
  expect(curves.map(named)).toEqual(['server: server, MB']);
});

test('of several probe hosts each curve says of which it is, and of one it goes without saying', () => {
  const reading = { atMs: 2000, cores: 4, busyCores: 1, stealCores: 0, probeCores: 0.5, memoryAvailableMb: 900 };
  const labels = (hosts: readonly string[]) =>
    machineCurves({ probeHost: hosts.map((host) => ({ host, ...reading })), server: [] }, span).map(
      ({ label }) => label,
    );
  expect(labels(['local'])).toEqual(['probes', 'whole probe host', 'probe host, available']);
  expect(labels(['a', 'b'])).toEqual([
    'probes of probe host a',
    'whole probe host a',
    'probe host a, available',
    'probes of probe host b',
    'whole probe host b',
    'probe host b, available',
  ]);
});
