import { spawn } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { soon } from '../tests/soon.js';
import { endOf, howItEnded, lineOf, signalGroup } from './child-processes.js';
import { isRunning } from './processes.js';

test('a signal reaches all that the leader of a group has started, also when the leader is gone', async () => {
  const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const below = await lineOf(leader.stdout, Number);
  expect(isRunning(below)).toBe(true);
  const ended = endOf(leader);
  leader.kill('SIGKILL');
  expect(await ended).toEqual({ kind: 'killed', signal: 'SIGKILL' });
  expect(isRunning(below)).toBe(true);
  signalGroup(leader.pid);
  await soon(() => isRunning(below)).toBe(false);
  signalGroup(leader.pid);
});

test('a child that never began has no group, and nobody else is signalled in its place', () => {
  for (const leader of [undefined, 0, 1]) signalGroup(leader, 'SIGTERM');
});

test('how a child ended is told from why it did not begin', async () => {
  const ends = await Promise.all([
    endOf(spawn('sh', ['-c', 'exit 3'])),
    endOf(spawn('sh', ['-c', 'kill -TERM $$']), 'close'),
    endOf(spawn('/no/such/program')),
  ]);
  expect(ends.map(howItEnded)).toEqual([
    'exited with code 3',
    'ended by SIGTERM',
    'could not be started: spawn /no/such/program ENOENT',
  ]);
});

test('the first line that says something is taken, and the others are passed over', async () => {
  const child = spawn('sh', ['-c', 'echo starting; echo "  port 81 "; echo port 82']);
  expect(await lineOf(child.stdout, (line) => /^port (\d+)$/.exec(line)?.[1])).toBe('81');
});
