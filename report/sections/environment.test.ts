import { expect, test } from '@playwright/test';
import { trustSentences } from '../../analysis/report/trust-section.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { bySizeSection } from './by-size.js';
import { environmentSection } from './environment.js';

test('where probes may run on some cores only, those are told beside the ones of the machine', () => {
  const answer = { outcome: 'found', stable: 1, unstable: 2 } as const;
  const { records } = runStory('flaky');
  const pinned = records.map((record) => ({ ...record, load: { ...record.load, probeHostCores: 2 } }));
  const trust = (of: typeof records) => trustSentences(aRun(of, answer)).join(' ');
  expect(trust(pinned)).toContain('share this machine of 4 cores (2 of them for the probes): the limit');
  expect(trust(pinned)).toMatch(
    /Probe host: [\d.]+ % CPU of the 2 cores that its probes may run on in its busiest judged trial/,
  );
  expect(trust(records)).toContain('share this machine of 4 cores: the limit');
  expect(environmentSection(aRun(pinned, answer)).text).toContain('4 cores (2 of them for the probes) of a cpu');
  expect(environmentSection(aRun(records, answer)).text).toContain('4 cores of a cpu');
});

test('what control groups give a server limits it as its own settings do', () => {
  const run = (server: object) => aRun(runStory('flaky').records, { outcome: 'found', stable: 1, unstable: 2 }, server);
  const [free, held] = [run({}), run({ heldTo: { cores: 1.75, memoryMb: 512 } })];
  expect(environmentSection(free).text).not.toContain('limited to');
  expect(environmentSection(held).text).toContain('1.75 cores and 512 MB of memory');
  expect(bySizeSection(free).text).not.toContain('limit 1.75;');
  expect(bySizeSection(held).text).toContain('limit 1.75;');
  expect(trustSentences(held)).toContain('It was given 1.75 cores of CPU.');
  expect(trustSentences(run({ cpuLimitCores: 0.5 }))).toContain('It was given 0.5 cores of CPU, its mixers included.');
});
