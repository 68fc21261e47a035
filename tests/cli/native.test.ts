import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

const loadline = (...args: readonly string[]) => runHere(args);
const planned = async (...args: readonly string[]) =>
  JSON.parse((await loadline('plan', 'broadcast', '--max', '8', '--format', 'json', ...args)).stdout).plan;

test('viewers have browsers unless asked otherwise, and then a number or a share of them still has', async () => {
  expect(await planned()).not.toHaveProperty('native');
  expect(await planned('--media', 'native')).toMatchObject({ players: { kind: 'native', sentinels: '5%' } });
  expect(await planned('--media', 'native', '--sentinels', '12.5%')).toMatchObject({
    players: { kind: 'native', sentinels: '12.5%' },
  });
  expect(await planned('--media', 'native', '--sentinels', '8')).toMatchObject({
    players: { kind: 'native', sentinels: 8 },
  });
});

test('a plan says who has no browser, and counts what browsers there are', async () => {
  const { stdout } = await loadline('plan', 'broadcast', '--max', '40', '--media', 'native', '--sentinels', '10%');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'nobody has a browser, but for 10% of who receives, three at least of each role',
  );
  const { largest } = JSON.parse(
    (await loadline('plan', 'broadcast', '--max', '40', '--media', 'native', '--format', 'json')).stdout,
  );
  // Four sentinels, four to a page; the presenter has no browser.
  expect(largest).toMatchObject({ probes: 41, pages: 1 });
});

test('calls and rooms have native probes, whether sources come over a connection each or over one', async () => {
  const pagesOf = async (...args: readonly string[]) =>
    JSON.parse((await loadline('plan', ...args, '--media', 'native', '--max', '20', '--format', 'json')).stdout).largest
      .pages;
  // Three callers and three callees have browsers, four to a page.
  expect(await pagesOf('one-to-one')).toBe(2);
  for (const subscribing of ['each', 'one'])
    expect(await pagesOf('sfu-group', '--server', 'janus://127.0.0.1:8188', '--subscribe', subscribing)).toBe(1);
});

for (const [args, says] of [
  [['broadcast', '--media', 'native', '--codec', 'VP9'], '--media native does not play VP9.'],
  [['broadcast', '--sentinels', '8'], '--sentinels without --media native or none changes nothing.'],
  [['broadcast', '--media', 'native', '--sentinels', '0'], '--sentinels must be'],
  [['broadcast', '--media', 'native', '--sentinels', 'some'], '--sentinels must be'],
] as const) {
  test(`${args.join(' ')} is refused with what to write instead, before anything starts`, async () => {
    const { exitCode, stdout, stderr } = await loadline('plan', ...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.replace(/\s+/g, ' ')).toContain(says);
    expect(stderr).toContain('do ');
  });
}
