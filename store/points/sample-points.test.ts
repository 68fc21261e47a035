import { expect, test } from '@playwright/test';
import { broadcast } from '../../scenarios/broadcast.js';
import { aManifest } from '../../tests/builders/run-builder.js';
import { copySink } from './copy-sink.js';
import type { DataPoint } from './data-point.js';

test('readings of two hosts in one millisecond are two points, each sent once, with the host as a tag', async () => {
  const points: DataPoint[] = [];
  const account = { given: 0, written: 0, resent: 0, lost: 0 };
  const to = {
    description: 'memory',
    add: (more: readonly DataPoint[]) => void points.push(...more),
    room: async () => undefined,
    close: async () => undefined,
    account,
    refused: undefined,
  };
  const sink = copySink({ to, run: 'r', scenario: broadcast, again: 'again' });
  await sink.open(aManifest());
  sink.writeEvent?.({ type: 'trial-started', index: 1, size: 1, probes: 2, why: 'baseline', text: '' });
  const reading = { atMs: 5, cores: 4, busyCores: 1, stealCores: 0, probeCores: 1, memoryAvailableMb: 9 };
  const latest = { probeHost: ['a', 'b'].map((host) => ({ ...reading, host })), server: [] };
  sink.writeReadings?.(1, latest);
  sink.writeReadings?.(1, latest);
  const hosts = points.filter(({ measurement }) => measurement === 'loadline_host');
  expect(hosts.map(({ tags, fields }) => [tags.host, fields.host, fields.busyPercent])).toEqual([
    ['a', undefined, 25],
    ['b', undefined, 25],
  ]);
});
