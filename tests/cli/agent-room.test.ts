import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

const plan = (name: string, ...args: readonly string[]) => runHere(['plan', name, ...args, '--max', '1']);

test('who plays an agent waits as long as a flag says, and the plan says so', async () => {
  const asked = ['--media', 'native', '--answer-after', '300ms'] as const;
  const { stdout } = await plan('agent-room', ...asked, '--format', 'json');
  expect(JSON.parse(stdout).plan.media.answerAfterMs).toBe(300);
  const words = (await plan('agent-room', ...asked)).stdout.replace(/\s+/g, ' ');
  expect(words).toContain('one asks, and a probe that plays an agent answers 300 ms later');
});

test('an agent of others is asked on a server in whose rooms one may answer, and may be named', async () => {
  const asked = ['--media', 'native', '--server', 'livekit://here', '--livekit-agent', 'clerk'] as const;
  const { plan: planned } = JSON.parse((await plan('ask-agent', ...asked, '--format', 'json')).stdout);
  expect(planned.server).toMatchObject({ kind: 'livekit', agent: 'clerk' });
  const { stderr } = await plan('ask-agent', '--media', 'native', '--server', 'janus://here');
  expect(stderr).toContain('A Janus does not answer each participant itself');
});

for (const [args, sentence] of [
  [['ask-agent'], 'ask-agent is for --media native.'],
  [['agent-room'], 'agent-room is for --media native.'],
  [['agent-room', '--media', 'none'], 'agent-room is for --media native.'],
  [['agent-room', '--media', 'native', '--muted', '50%'], '--muted is not for agent-room.'],
  [['one-to-one', '--answer-after', '1s'], '--answer-after is not for one-to-one.'],
  [['agent-room', '--media', 'native', '--answer-after', '5s'], '--answer-after must be at most 4s, not "5s".'],
] as const) {
  test(`${args.join(' ')}: refused`, async () => {
    const [name, ...flags] = args;
    const { exitCode, stderr } = await plan(name, ...flags);
    expect(exitCode).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(sentence);
  });
}
