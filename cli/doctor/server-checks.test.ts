import { expect, test } from '@playwright/test';
import type { ServerFacts } from '../../model/run.js';
import { kurentoAbilities } from '../../server-setup/kurento/abilities.js';
import { checkAbilities, checkEvidence, checkPage } from './server-checks.js';

const facts: ServerFacts = {
  kind: 'kurento',
  nature: 'product',
  name: 'kurento 7.3.0',
  version: '7.3.0',
  url: 'ws://far:8888/kurento',
  sameHost: false,
  abilities: kurentoAbilities,
};
const shown = (checks: readonly { readonly mark: string; readonly text: string }[]) =>
  checks.map(({ mark, text }) => `${mark} ${text}`);

test('a server that can do all of its kind has a sentence for each, and nothing to do', () => {
  expect(shown(checkAbilities(facts))).toEqual([
    'ok it forwards, mixes and mixes sound alone; video: VP8, H264, VP9, AV1, mixed: VP8, H264, VP9, AV1',
    'ok it records, of video VP8, H264, VP9, AV1',
    'ok probes can reach it through TURN',
    'ok that it is clean before each trial is shown by its list of sessions',
  ]);
});

test('what a server lacks is a warning with what to do, and is not called an ability', () => {
  const abilities = { ...kurentoAbilities, records: false, turn: false, reset: 'not-provable' } as const;
  const missing = [{ shape: 'mix', why: 'it lists no mixer', todo: 'install one' }] as const;
  const checks = checkAbilities({ ...facts, version: '', abilities, missing });
  expect(shown(checks)).toEqual([
    'warn it does not say its version',
    'ok it forwards and mixes sound alone; video: VP8, H264, VP9, AV1',
    'warn it does not mix: it lists no mixer',
    'warn it records nothing that is looked at',
    'warn probes cannot reach it through TURN',
    'warn nothing shows that it is clean before each trial',
  ]);
  for (const { mark, remedy } of checks) if (mark !== 'ok') expect(remedy).toMatch(/\S/);
});

test('where its CPU is read is said, and that nobody knows it leads to a page of its host', () => {
  expect(shown(checkEvidence({ ...facts, pid: 7 }, { atMs: 1, cpuQuotaCores: 0.9, memoryLimitMb: 256 }))).toEqual([
    'ok its CPU and memory are read from its process, 7',
    'ok its control group allows it 0.9 cores (CPU quota)',
    'ok its control group allows it 256 MB of memory',
  ]);
  expect(shown(checkEvidence(facts, { atMs: 1, cpuCores: 0.1 }))[0]).toContain('what it says itself');
  const [unknown] = checkEvidence(facts, undefined);
  expect(unknown).toMatchObject({ mark: 'warn', remedy: expect.stringContaining('--evidence') });
});

test('a page of metrics is told by what it knows, and one that is not read is in the way', () => {
  const source = 'http://far:9100/metrics';
  const first = { atMs: 1, source, hostCores: 4, hostMemoryMb: 8000 };
  const [told] = checkPage(source, [
    first,
    { atMs: 2, source, hostSentKbps: 3 },
    { atMs: 2, source: 'other', failure: '' },
  ]);
  expect(told).toMatchObject({ mark: 'ok', text: expect.stringMatching(/4 cores.* 8000 MB and .*network/) });
  expect(checkPage(source, [{ atMs: 1, source }])).toMatchObject([{ mark: 'warn' }]);
  const [refused] = checkPage(source, [{ atMs: 1, source, failure: 'connection refused' }]);
  expect(refused).toMatchObject({ mark: 'fail', text: expect.stringContaining('connection refused') });
});
