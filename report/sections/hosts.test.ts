import { expect, test } from '@playwright/test';
import type { ProbeHost } from '../../model/probe-host.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { hostsSection } from './hosts.js';

/** The cells of each row of the table. */
function cellsOf(hosts: readonly ProbeHost[]): readonly (readonly string[])[] {
  const record = aRecord(calls(2), { index: 1, size: 2, seconds: 12 });
  const probes = record.probes.map((probe, nth) => ({ ...probe, host: hosts[nth % hosts.length]?.id ?? '' }));
  const { text } = hostsSection(aRun([{ ...record, hosts, probes }], { outcome: 'found', stable: 2 }));
  const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row);
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell));
}

test('the table of hosts says first how many of its trials each spoiled, and leaves out what is known of none', () => {
  const [heads, a, b] = cellsOf([{ id: 'a', cores: 4, beganLateMs: 12 }, { id: 'b' }]);
  expect(heads).toEqual([
    'host',
    'trials',
    'of them void because of it',
    'cores',
    'probes, most',
    'pace began late, ms',
    'starts late',
    'samples missing',
    'let go of',
  ]);
  expect(a).toEqual(['a', '1', '0', '4', '2', '12', '0', '0', '0']);
  expect(b?.slice(3, 6), 'a dash where another host knows it').toEqual(['–', '2', '–']);
});

test('where hosts say where they are, their places stand beside their names', () => {
  const [heads, a, b] = cellsOf([{ id: 'a', place: 'eu-west' }, { id: 'b' }]);
  expect([heads?.[1], a?.[1], b?.[1]]).toEqual(['place', 'eu-west', '–']);
});
