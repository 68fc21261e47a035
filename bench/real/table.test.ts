import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { cellsOf, networkNames, playerNames, recordNames, scenarioNames, serversIn, wordsOf } from './matrix.js';
import type { Row } from './row.js';
import { differences, exitCodeOf, serverTable, tolerances } from './table.js';

const call = { server: 'janus', scenario: 'one-to-one', player: 'full', record: 'no', network: 'plain' } as const;
const stable: Row = { ...call, verdict: 'stable', why: [], joined: '2 of 2: 2 full', figures: {}, seconds: 40 };
const refused: Row = { ...stable, player: 'native', verdict: 'refused', why: ['It cannot be had.'] };
const everything = { scenario: scenarioNames, player: playerNames, record: recordNames, network: networkNames };

test('a matrix whose played rows are all stable exits 0, whatever is not to be had', () => {
  expect(exitCodeOf([stable, refused])).toBe(0);
});

for (const verdict of ['unstable', 'void', 'failed'] as const)
  test(`a row that was played and is ${verdict} makes the matrix exit 3, and is named`, () => {
    const row: Row = { ...stable, player: 'encoded', verdict, why: ['The voice was 1 of 4.4.'] };
    expect(exitCodeOf([stable, refused, row])).toBe(3);
    const text = serverTable('janus 1.1.2', [stable, row]).join('\n');
    expect(text).toContain(`- one-to-one, not recorded, plain, encoded: ${verdict}. The voice was 1 of 4.4.`);
  });

test('a matrix of refusals alone has shown nothing: it exits 2', () => {
  expect(exitCodeOf([refused])).toBe(2);
  expect(exitCodeOf([])).toBe(2);
});

test('what is not to be had is said once for each sentence, with the combinations that it refuses', () => {
  const rows: Row[] = [
    refused,
    { ...refused, record: 'yes' },
    { ...refused, player: 'none', why: ['Not by arrivals.'] },
  ];
  expect(serverTable('janus 1.1.2', rows)).toEqual([
    'janus 1.1.2',
    '',
    'Not to be had:',
    '',
    '- one-to-one (native; recorded: no, yes; plain): It cannot be had.',
    '- one-to-one (none; recorded: no; plain): Not by arrivals.',
  ]);
});

test('kinds of probes that saw the same differ in nothing; one beyond the stated tolerance is named with both values', () => {
  const seen = { audioPackets: 50, videoKbps: 500, mos: 4.4 };
  const full: Row = { ...stable, figures: seen };
  const close: Row = { ...stable, player: 'native', figures: { ...seen, audioPackets: 54 } };
  const doubled: Row = { ...stable, player: 'encoded', figures: { ...seen, audioPackets: 100 } };
  expect(differences([full, close])).toEqual([]);
  expect(differences([full, doubled, close])).toEqual([
    'one-to-one, not recorded, plain: audio, packets/s 50.0 full, 100.0 encoded',
  ]);
  expect(differences([{ ...full, record: 'yes' }, doubled])).toEqual([]);
});

test('docs/lab/real-servers.md states how far kinds of probes may be apart', () => {
  expect(readFileSync(new URL('../../docs/lab/real-servers.md', import.meta.url), 'utf8')).toContain(
    `\n${tolerances()}.\n`,
  );
});

test('what was not measured is an empty cell and no difference', () => {
  const none: Row = { ...stable, player: 'encoded' };
  const lines = serverTable('janus 1.1.2', [{ ...stable, figures: { mos: 4.4 } }, none]);
  expect(lines.find((line) => line.includes('encoded'))).toMatch(/\| {2}\|\s*$/);
  expect(lines.join('\n')).not.toContain('differed');
});

test('servers are read from the environment, each with the flags behind its address', () => {
  const env = {
    LOADLINE_REAL_JANUS: ' janus://a:8188  --janus-admin ws://a:7188',
    LOADLINE_REAL_WHIP: 'whip --whip http://a/{stream}/whip --whep http://a/{stream}/whep',
    LOADLINE_REAL_KURENTO: '',
    LOADLINE_RUNS: '/runs',
  };
  expect(serversIn(env)).toEqual([
    { name: 'janus', words: ['--server', 'janus://a:8188', '--janus-admin', 'ws://a:7188'] },
    {
      name: 'whip',
      words: ['--server', 'whip', '--whip', 'http://a/{stream}/whip', '--whep', 'http://a/{stream}/whep'],
    },
  ]);
});

for (const [name, env] of [
  ['no server', {}],
  ['a flag where the server stands', { LOADLINE_REAL_WHIP: '--whip http://a/{stream}/whip' }],
] as const)
  test(`an environment with ${name} is refused`, () => {
    expect(() => serversIn(env)).toThrow(/LOADLINE_REAL_/);
  });

test('every combination is a row with a command line of its own', () => {
  const server = { name: 'janus', words: ['--server', 'janus://a:8188'] };
  const lines = cellsOf(server, everything).map((cell) => wordsOf(cell, server).join(' '));
  expect(new Set(lines).size).toBe(
    scenarioNames.length * playerNames.length * networkNames.length * recordNames.length,
  );
  expect(lines.filter((line) => line.includes('--media none')).every((line) => line.includes('--by arrivals'))).toBe(
    true,
  );
});
