import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import { type ClusterServerPlan, firstServer, type Plan, planSchema, type RealServerPlan } from '../../model/plan.js';
import { serverKinds } from '../../server-setup/kinds.js';
import { kindNamed } from '../../server-setup/server-kind.js';
import { withGivenAgain, wordsAgain } from './given-again.js';

type Words = Readonly<Record<string, string | readonly string[]>>;

/** A stored plan that is gone on with by these flags. */
function resumed(stored: object, words: Words = {}, env: Readonly<Record<string, string>> = {}): Plan {
  const plan = planSchema.parse({ scenario: 'one-to-one', ...stored });
  const { server } = plan;
  const flags = { server: 'embedded', reset: 'release', ...words };
  const kind = kindNamed(firstServer(server as RealServerPlan | ClusterServerPlan), serverKinds);
  const typed = new Set(Object.keys(words));
  return withGivenAgain(plan, { flags, typed, kind, env, workingFolder: '/w', where: 'runs/x', command: 'find' });
}

function refusal(...asked: Parameters<typeof resumed>): readonly [string, string | undefined] {
  try {
    resumed(...asked);
  } catch (error) {
    const { code, where } = error as LoadlineError;
    return [code, where];
  }
  return ['none', undefined];
}

const kurento = { kind: 'kurento', url: 'kurento://10.0.0.5:8888' };
const cluster = {
  kind: 'cluster',
  members: [
    { name: 'A', server: kurento },
    { name: 'B', server: { ...kurento, url: 'kurento://10.0.0.6:8888' } },
  ],
  placement: 'command',
  placer: 'evil',
};
const whip = { kind: 'whip', url: 'https://a.example/{stream}/whip', whep: 'https://a.example/{stream}/whep' };
const app = { kind: 'web-app', url: 'https://a.example/{session}' };

test('what a stored run would run counts only when it is given again, whoever stored it', () => {
  expect([
    refusal({ server: { ...kurento, restartCommand: 'evil' } }),
    refusal({ server: cluster }),
    refusal({
      server: { ...cluster, placement: 'round-robin', placer: undefined },
      drill: { kind: 'lose-host', command: 'evil' },
    }),
    refusal({ server: app, players: { kind: 'visiting', join: '/w/join.mjs' } }),
    refusal({ server: app, players: { kind: 'visiting', join: '/w/join.mjs' } }, { join: 'join.mjs' }),
  ]).toEqual([
    ['E_RESUME', '--reset restart --reset-command'],
    ['E_RESUME', '--placer'],
    ['E_RESUME', '--drill-command'],
    ['E_RESUME', '--url, --join'],
    ['E_RESUME', '--url'],
  ]);
});

test('an address counts only when it is given again where a secret would go to it', () => {
  const turn = { protocol: 'udp', server: 'turn:10.0.0.9:3478' };
  const evidence = { urls: ['http://10.0.0.5:9100/metrics'], metrics: [] };
  expect([
    refusal({ server: kurento }),
    refusal({ server: whip }),
    refusal({ server: whip }, {}, { LOADLINE_WHIP_TOKEN: 's' }),
    refusal({ server: kurento, turn }),
    refusal({ server: kurento, evidence }),
    refusal({ server: kurento, evidence }, {}, { LOADLINE_EVIDENCE_TOKEN: 's' }),
    refusal({ server: kurento, hosts: { from: 'nats://10.0.0.7:4222', spread: 'even' } }),
    refusal({ server: kurento, hosts: { from: 'local:2', spread: 'even' } }),
  ]).toEqual([
    ['none', undefined],
    ['none', undefined],
    ['E_RESUME', '--whip, --whep'],
    ['E_RESUME', '--turn-server'],
    ['none', undefined],
    ['E_RESUME', '--evidence'],
    ['E_RESUME', '--hosts'],
    ['none', undefined],
  ]);
});

test('with the same words again the run goes on, and a secret that was not stored comes back', () => {
  const stored = { ...kurento, url: 'kurento://10.0.0.5:8888/?token=***', restartCommand: 'restart --token ***' };
  const words = {
    server: ['kurento://10.0.0.5:8888/?token=abcdef'],
    reset: 'restart',
    resetCommand: 'restart --token abcdef',
  };
  expect(resumed({ server: stored }, words).server).toEqual({
    ...stored,
    url: words.server[0],
    restartCommand: words.resetCommand,
  });
  expect(refusal({ server: cluster }, { placer: 'evil' })).toEqual(['none', undefined]);
  const whole = { server: 'web-app', url: app.url, join: 'join.mjs' };
  expect(refusal({ server: app, players: { kind: 'visiting', join: '/w/join.mjs' } }, whole)).toEqual([
    'none',
    undefined,
  ]);
});

test('other words than those that are stored are refused, and so are words for what is not stored', () => {
  expect([
    refusal({ server: cluster }, { placer: 'another' }),
    refusal({ server: kurento }, { server: ['kurento://10.0.0.9:8888'] }),
    refusal({ server: kurento }, { join: 'join.mjs' }),
    refusal({ server: { kind: 'embedded' } }, { server: ['kurento://10.0.0.9:8888'] }),
  ]).toEqual([
    ['E_RESUME', '--placer, --resume runs/x'],
    ['E_RESUME', '--server, --resume runs/x'],
    ['E_USAGE', '--join'],
    ['E_RESUME', '--server, --resume runs/x'],
  ]);
});

test('the words of a resume are those of the stored plan, whether they were typed or stood in a plan file', () => {
  const words = (stored: object) => wordsAgain(planSchema.parse({ scenario: 'one-to-one', ...stored }), serverKinds);
  const restarted = { ...kurento, url: 'kurento://10.0.0.5:8888/?token=abcdef', restartCommand: 'again' };
  expect([
    words({ server: { kind: 'embedded' }, hosts: { from: 'local:2', spread: 'even' } }),
    words({ server: { kind: 'simulated', capacity: 3, seed: 1 } }),
    words({ server: restarted, hosts: { from: 'nats://a', spread: 'even' } }),
    words({ server: cluster }),
    words({ server: app, players: { kind: 'visiting', join: '/w/join.mjs' } }),
    words({ server: { kind: 'janus', url: 'janus://a:8188', adminUrl: 'ws://a:7188' } }),
  ]).toEqual([
    [],
    [],
    [
      ...['--server', 'kurento://10.0.0.5:8888/?token=***', '--reset', 'restart', '--reset-command', 'again'],
      ...['--hosts', 'nats://a'],
    ],
    ['--server', 'kurento://10.0.0.5:8888', '--server', 'kurento://10.0.0.6:8888', '--placer', 'evil'],
    ['--url', 'https://a.example/{session}', '--join', '/w/join.mjs'],
    ['--server', 'janus://a:8188', '--janus-admin', 'ws://a:7188'],
  ]);
});
