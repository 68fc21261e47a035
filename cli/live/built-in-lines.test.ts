import { expect, test } from '@playwright/test';
import { runHere } from '../../tests/cli/run-here.js';

/** The lines below "stable" that are of limits beside the named ones. */
async function toldBeside(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runHere(['plan', ...args, '--max', '1']);
  expect(`${exitCode} ${stderr}`).toBe('0 ');
  const [, beside = ''] = /G\.107\)\n([\s\S]*?)\n {2}search/.exec(stdout) ?? [];
  for (const line of stdout.split('\n').filter((one) => beside.includes(one))) expect(line.length).toBeLessThan(81);
  return beside.replace(/\s+/g, ' ').trim();
}

test('a plan tells the limits of marks that full probes draw, and that they draw', async () => {
  const told = await toldBeside('one-to-one', '--draw-marks');
  for (const limit of ['another sender ≤ 1 %', 'is shown p95 ≤ 1 s', 'same picture again ≤ 10 %', 'one colour ≤ 10 %'])
    expect(told).toContain(limit);
  expect(told).not.toContain('sound');
  const { stdout } = await runHere(['plan', 'one-to-one', '--draw-marks', '--max', '1']);
  expect(stdout).toMatch(/media .*each draws who it is/);
});

test('of media with marks a plan tells delay and sender, and of mixes none', async () => {
  expect(await toldBeside('one-to-one', '--media', 'encoded')).toContain('delay of pictures and sound p95 ≤ 400 ms');
  expect(await toldBeside('group', '--media', 'encoded')).toBe('');
  expect(await toldBeside('one-to-one')).toBe('');
});

test('layers and agents have their limits told, and a limit of the plan replaces one', async () => {
  const layers = ['--simulcast', '--resolution', '1280x720', '--video-kbps', '2500'];
  expect(await toldBeside('sfu-group', '--media', 'native', ...layers)).toContain('time below the layer asked for');
  const agent = ['agent-room', '--media', 'native'];
  expect(await toldBeside(...agent)).toContain('questions without an answer ≤ 5 %');
  const own = await toldBeside('one-to-one', '--draw-marks', '--threshold', 'received.video.still.share <= 2%');
  expect(own).not.toContain('same picture again');
});
