import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-arrivals-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const find = (...args: readonly string[]) => runHere(['find', ...args], { workingFolder: folder });
const signalling = ['--by', 'arrivals', '--media', 'none'] as const;

for (const [args, says] of [
  [['sfu-group', '--by', 'arrivals'], '--by arrivals with media is not for sfu-group.'],
  [
    ['one-to-one', '--by', 'arrivals', '--media', 'encoded', '--full-share', '10%'],
    '--full-share is not for --by arrivals.',
  ],
  [['one-to-one', '--by', 'arrivals', '--network', 'wifi'], '--network cannot be given with --by arrivals.'],
  [['one-to-one', '--by', 'arrivals', '--hosts', 'local:2', '--network', 'wifi'], '--network cannot be given with'],
  [
    ['one-to-one', '--by', 'arrivals', '--hosts', 'local:2', '--record'],
    '--record cannot be given with --by arrivals.',
  ],
  [['sfu-group', '--by', 'arrivals', '--hosts', 'local:2'], '--by arrivals with media is not for sfu-group.'],
  [['one-to-one', '--by', 'arrivals', '--hosts', 'local:2', '--storm', '5'], '--storm is for --media none.'],
  [['one-to-one', ...signalling, '--hosts', 'local:2'], '--hosts cannot be given with --media none.'],
  [['one-to-one', '--by', 'arrivals', '--storm', '5'], '--storm is for --media none.'],
  [['one-to-one', '--by', 'arrivals', '--reconnect'], '--reconnect is for --media none.'],
  [['one-to-one', '--by', 'arrivals', '--stay', 'exponential'], '--stay exponential is for --media none.'],
  [['one-to-one', '--by', 'arrivals', '--hold', '2s'], '--hold is 2 s, too short for browsers.'],
  [['one-to-one', '--by', 'arrivals', '--hold', '60s'], 'give --measure 70s or more, or a shorter --hold'],
  [['one-to-one', '--media', 'none'], '--media none needs --by arrivals.'],
  [['one-to-one', '--hold', '5s'], '--hold without --by arrivals changes nothing.'],
  [['one-to-one', '--by', 'people'], '--by must be sessions or arrivals, not "people"'],
  [['one-to-one', ...signalling, '--hold', '0s'], '--hold must be a duration above zero'],
  [['one-to-one', ...signalling, '--arrival', 'often'], '--arrival must be constant or poisson, not "often"'],
  [['group', ...signalling], '--by arrivals is not for group.'],
  [['audio-room', ...signalling], '--by arrivals is not for audio-room.'],
  [['broadcast', ...signalling, '--legs', 'sending'], 'viewers have no connection to join'],
  [['broadcast', ...signalling, '--server', 'janus://10.0.0.5'], 'viewers have no connection to join'],
  [
    [
      'broadcast',
      ...signalling,
      '--server',
      'whip',
      '--whip',
      'http://10.0.0.5/{stream}/whip',
      '--whep',
      'http://10.0.0.5/{stream}/whep',
    ],
    'or give --legs all if this one answers them before media comes',
  ],
  [['one-to-one', ...signalling, '--server', 'janus://10.0.0.5', '--legs', 'all'], '--legs all is not for a Janus.'],
  [['one-to-one', '--storm', '20'], '--storm without --by arrivals changes nothing.'],
  [['one-to-one', ...signalling, '--storm', '0'], '--storm must be'],
  [['one-to-one', ...signalling, '--storm', '9', '--reconnect'], '--storm and --reconnect cannot be given together.'],
  [['one-to-one', '--reconnect'], '--reconnect without --by arrivals changes nothing.'],
  [['one-to-one', '--legs', 'sending'], '--legs without --media none changes nothing.'],
  [['one-to-one', ...signalling, '--legs', 'both'], '--legs must be all or sending'],
  [['one-to-one', ...signalling, '--network', 'wifi'], '--network cannot be given with --media none.'],
  [['one-to-one', ...signalling, '--record'], '--record cannot be given with --media none.'],
  [['one-to-one', ...signalling, '--sentinels', '5%'], '--sentinels must be a whole number'],
  [['one-to-one', '--sentinels', '4'], '--sentinels without --media native or none changes nothing.'],
  [['one-to-one', ...signalling, '--strategy', 'ramp'], '--strategy ramp is not for --by arrivals.'],
  [['one-to-one', ...signalling, '--threshold', 'video.loss.mean <= 1%'], '--media none measures nothing of'],
  [['one-to-one', ...signalling, '--answer-rate', 'slow'], '--answer-rate must be answers per second'],
] as const) {
  test(`find ${args.join(' ')} is refused with what to write instead`, async () => {
    const { exitCode, stdout, stderr } = await find(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).toContain('do ');
    expect(readdirSync(folder)).toEqual([]);
  });
}

test('loadline plan says how they come, how long it takes and how many are there, from flags and from a plan file', async () => {
  const path = join(folder, 'plan.yaml');
  writeFileSync(path, 'scenario: one-to-one\nby: arrivals\nmedia: none\nhold: 5s\nper: 10s\narrival: poisson\n');
  for (const args of [['one-to-one', ...signalling], [path]]) {
    const { exitCode, stdout } = await runHere(['plan', ...args, '--max', '40'], { workingFolder: folder });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/arrivals, each staying \d+ s:/);
    expect(stdout).toMatch(/ {2}cost {5}\d+ to \d+ trials, \d+ to \d+ minutes\n/);
    expect(stdout).toMatch(/ {2}there {4}about [\d.]+ calls at a time with 1 .*\n +about \d+ calls at a time with 40 /);
  }
  // 64 a second for 20 s, all of them viewers of one session.
  const ofViewers = ['plan', 'broadcast', '--by', 'arrivals', '--hold', '20s', '--max', '64'];
  const { stdout } = await runHere(ofViewers, { workingFolder: folder });
  expect(stdout).toContain('about 1280 viewers at a time with 64 viewers begun per second');
  expect(stdout).toMatch(/64 viewers begun per second(?: would need|:) 1281 probes/);
});
