import { spawn } from 'node:child_process';
import { pid } from 'node:process';
import { expect, test } from '@playwright/test';
import { isRunning, readProcesses, treeOf } from '../../host/processes.js';
import { soon } from '../../tests/soon.js';
import { clearAfter, watchAgent } from './watched-agent.js';

test('what an agent has started is ended when the agent says nothing, down to the last, and not before', async () => {
  // In place of an agent: a shell with a child, and a child of that, as a browser has. It goes on when its children are
  // ended.
  const agent = spawn('sh', ['-c', 'sh -c "sleep 60 & sleep 60; true" & while :; do sleep 60; done'], {
    detached: true,
  });
  const agentPid = agent.pid ?? 0;
  const below = async () =>
    treeOf(await readProcesses(), new Set([agentPid])).filter((one) => one.pid !== agentPid && one.state !== 'Z');
  const ended = new AbortController();
  try {
    await soon(async () => (await below()).length).toBeGreaterThanOrEqual(3);
    const before = (await below()).map((one) => one.pid);
    let silentForMs = 0;
    const watching = watchAgent({
      agent: agentPid,
      watcher: pid,
      silenceMs: 1000,
      lookEveryMs: 20,
      silentForMs: () => silentForMs,
      signal: ended.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(before.every(isRunning)).toBe(true);
    silentForMs = 1000;
    await soon(async () => (await below()).filter((one) => before.includes(one.pid))).toEqual([]);
    expect(isRunning(agentPid)).toBe(true);
    ended.abort('the agent has ended');
    await watching;
  } finally {
    ended.abort('the test is over');
    process.kill(-agentPid, 'SIGKILL');
  }
});

test('what a killed agent has left is removed once it is gone, again while its browsers write, and then no more', async () => {
  const did: string[] = [];
  const left = [['profile'], ['profile again'], []];
  let looks = 0;
  await clearAfter({
    isRunning: () => {
      looks += 1;
      did.push(looks < 3 ? 'it runs' : 'it is gone');
      return looks < 3;
    },
    removeLeftovers: async () => {
      const removed = left.shift() ?? ['too often'];
      did.push(`removed ${removed.length}`);
      return removed;
    },
    lookEveryMs: 1,
  });
  expect(did).toEqual(['it runs', 'it runs', 'it is gone', 'removed 1', 'removed 1', 'removed 0']);
});
