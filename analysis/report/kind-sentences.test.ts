import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Players } from '../../model/players.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { kindSentences } from './kind-sentences.js';

const encodedProbe = (id: string) => aProbe(id).isEncoded().sendsVideo({ replacedFps: 30 });
const ids = ['1a', '1b', '2a', '2b'];

function runOf(probes: readonly ProbeBuilder[], fullShare: number | undefined): FinishedRun {
  const run = aRun([aRecord(probes, { index: 3, size: 2 })], { outcome: 'found', stable: 2 });
  const players: Players = fullShare === undefined ? { kind: 'full' } : { kind: 'encoded', fullShare };
  return { ...run, manifest: { ...run.manifest, plan: { ...run.manifest.plan, players } } };
}
const mixed = (full: (probe: ProbeBuilder) => ProbeBuilder, other: (probe: ProbeBuilder) => ProbeBuilder) =>
  runOf(
    ids.map((id, index) => (index === 0 ? full(aProbe(id)) : other(encodedProbe(id)))),
    0.25,
  );
const same = (probe: ProbeBuilder) => probe;
const lossy = (probe: ProbeBuilder) => probe.receivesVideo({ lossPercent: 12 });

test('a run of full probes says nothing of kinds, and one of encoded probes alone that nothing compares', () => {
  expect(kindSentences(runOf(calls(2), undefined))).toEqual([]);
  expect(kindSentences(runOf(ids.map(encodedProbe), 0))).toEqual([
    'All probes sent media that was encoded before; no full probe was there to compare with (--full-share 10%).',
  ]);
});

test('what is expected of visited pages is doubted where the room that was looked at had not come to rest', () => {
  const run = runOf(calls(2), undefined);
  const visited = (more: object) => {
    const players: Players = { kind: 'visiting', ...more };
    return kindSentences({ ...run, manifest: { ...run.manifest, plan: { ...run.manifest.plan, players } } });
  };
  expect(visited({})).toEqual([]);
  expect(visited({ stillChanges: true })).toEqual([expect.stringMatching(/^Warning: /)]);
});

test('kinds that saw the same are said to have', () => {
  expect(kindSentences(mixed(same, same))).toEqual(['Full and encoded probes saw the same in 1 judged trial.']);
  expect(kindSentences(mixed(lossy, lossy))).toEqual([
    'Trial 3 (2 calls): noticed by 1 of 1 full and 3 of 3 encoded probes.',
    'Full and encoded probes saw the same in 1 judged trial.',
  ]);
});

test('a shortage that only one kind notices is a warning, whichever kind it is', () => {
  for (const run of [mixed(lossy, same), mixed(same, lossy)]) {
    const [suffered, warning, ...rest] = kindSentences(run);
    expect(suffered).toMatch(/^Trial 3 \(2 calls\): noticed by (1 of 1 full and 0|0 of 1 full and 3) of 3 encoded/);
    expect(warning).toBe(
      'Warning: Trial 3 (2 calls): full and encoded probes disagree on whether something was wrong.',
    );
    expect(rest).toEqual([]);
  }
});

test('where no trial was judged, nothing is said to agree', () => {
  const run = mixed(same, same);
  expect(kindSentences({ ...run, records: [] })).toEqual([]);
});

test('trials in which no full probe received anything are not said to agree', () => {
  const nothing = 'Nothing was compared in 1 judged trial: no full probe received video, or no encoded one.';
  const sendsAlone = (run: FinishedRun): FinishedRun => ({
    ...run,
    records: run.records.map((record) => ({
      ...record,
      streams: record.streams.filter(({ probe, direction }) => probe !== '1a' || direction === 'send'),
    })),
  });
  expect(kindSentences(sendsAlone(mixed(same, same)))).toEqual([nothing]);
  expect(kindSentences(runOf(ids.map(encodedProbe), 0.25))).toEqual([nothing]);
});

test('full probes without a frame differ from encoded ones that have them all', () => {
  const run = mixed(same, same);
  const still = run.records.map((record) => ({
    ...record,
    streams: record.streams.map((one) =>
      one.probe === '1a' && one.direction === 'receive' ? { ...one, values: { ...one.values, fps: 0 } } : one,
    ),
  }));
  expect(kindSentences({ ...run, records: still })).toEqual([
    'Warning: Trial 3 (2 calls): full and encoded probes disagree on received frame rate: 0 and 30 fps in the median.',
  ]);
});

test('rates of the two kinds that differ by more than a tenth are a warning', () => {
  const run = mixed(same, (probe) => probe.receivesVideo({ kbps: 440, fps: 26 }));
  expect(kindSentences(run)).toEqual([
    'Warning: Trial 3 (2 calls): full and encoded probes disagree on received video: 500 and 440 kbit/s in the median.',
    'Warning: Trial 3 (2 calls): full and encoded probes disagree on received frame rate: 30 and 26 fps in the median.',
  ]);
});
