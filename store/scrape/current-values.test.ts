import { expect, test } from '@playwright/test';
import type { ServerReading } from '../../model/evidence.js';
import { queuedTrial } from '../../tests/arrivals/queued-trial.js';
import { aSample } from '../../tests/stored-run.js';
import { evidencePoints, samplePoints } from '../points/sample-points.js';
import { trialPoints } from '../points/trial-points.js';
import { CurrentValues } from './current-values.js';

const namesIn = (values: CurrentValues, nowMs: number) =>
  values.read(nowMs).flatMap(({ labels, values: all }) => all.map(({ name }) => `${labels.trial} ${name}`));

/** Every kind of reading that a second has. */
function secondOf(trial: string) {
  const of: ServerReading = { atMs: 1, servers: [{ server: 'A', atMs: 1, cpuCores: 7.5 }] };
  const host = { atMs: 1, cores: 4, busyCores: 1, stealCores: 0, probeCores: 1, memoryAvailableMb: 9 };
  const turn = { atMs: 1, cpuCores: 0.1, rssMb: 12, udpDrops: 0, allocations: 4 };
  const scraped = { atMs: 1, source: 's', hostCores: 4 };
  const evidence = { probeHost: [host], server: [of], turn: [turn], scraped: [scraped] };
  return [...samplePoints({ trial }, () => undefined, aSample('1a', 1000)), ...evidencePoints({ trial }, evidence)];
}

test('of a trial that is over no second is shown any more, of its probes, machines and arrivals', async () => {
  const values = new CurrentValues();
  values.add(secondOf('1'), 0);
  const kinds = ['probe', 'leg', 'stream', 'host', 'server', 'cluster_server', 'turn', 'scraped'];
  const before = namesIn(values, 0).join('\n');
  for (const kind of kinds) expect(before).toContain(`1 loadline_${kind}_`);
  const { record } = await queuedTrial({ size: 5, queue: { serviceMs: () => 15 }, measureMs: 4000 });
  values.add(trialPoints({ trial: '1' }, record), 1);
  values.add(secondOf('2'), 2);
  const after = namesIn(values, 2);
  const ofFirst = after.filter((name) => name.startsWith('1 ')).join('\n');
  for (const kind of [...kinds, 'arrivals_second'])
    expect(ofFirst).not.toMatch(new RegExp(`loadline_${kind}_(?!trial)`));
  for (const kind of ['trial', 'arrivals']) expect(ofFirst).toContain(`loadline_${kind}_size`);
  expect(after).toContain('2 loadline_cluster_server_cpu_cores');
});

test('a second that nobody renews is shown for 15 s, also of a server that is gone from its cluster', () => {
  const values = new CurrentValues();
  values.add(secondOf('1'), 0);
  expect(namesIn(values, 15_000)).toContain('1 loadline_cluster_server_cpu_cores');
  expect(namesIn(values, 15_001)).toEqual([]);
});
