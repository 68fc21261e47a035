import { expect, test } from '@playwright/test';
import { Command } from 'commander';
import type { RunRequest } from '../cli/options/run-request.js';
import { addSearchFlags, readSearchRequest, type SearchWords } from '../cli/options/search-request.js';
import { SeveralFaults } from '../cli/options/together.js';
import { LoadlineError } from '../model/errors.js';
import { serverKinds } from '../server-setup/kinds.js';
import { runTrial } from '../trial/run-trial.js';
import { ServerWatch } from '../trial/server-watch.js';
import { browsingParts } from './arrivals/browsing-trial.js';
import { queuedParts } from './arrivals/queued-trial.js';
import { tableOnPage, writesTables, writeTable } from './reliability-table.js';
import { aSimulatedRun } from './simulated-run.js';

const players = {
  full: ['one-to-one'],
  encoded: ['one-to-one', '--media', 'encoded'],
  native: ['one-to-one', '--media', 'native'],
  signalling: ['one-to-one', '--media', 'none'],
  visiting: ['visit', '--url', 'https://meet.example/{session}'],
} as const;
const loads = { sessions: [], arrivals: ['--by', 'arrivals', '--hold', '10s', '--no-record'] } as const;
const onWhip = (...words: readonly string[]) => ['--server', 'mediamtx://127.0.0.1', ...words];
const beside = {
  '–': [],
  '`--hosts`': ['--hosts', 'local:2'],
  '`--network`': ['--network', 'wifi'],
  '`--turn`': ['--turn', 'udp'],
  'several servers': ['--server', 'kurento://a', '--server', 'kurento://b'],
  '`--record`': ['--record'],
  '`--ice-restart`': onWhip('--ice-restart', '15s'),
  '`--ice-restart`, `--spoken-by hosts`': onWhip('--ice-restart', '15s', '--hosts', 'local:2', '--spoken-by', 'hosts'),
} as const;

type Kind = keyof typeof players;
type By = keyof typeof loads;

/** What a command line asks for, or the sentences with which it is refused. */
function read([name = '', ...args]: readonly string[]): RunRequest | readonly string[] {
  const command = addSearchFlags(new Command().exitOverride(), serverKinds);
  const server = args.includes('--server') || name === 'visit' ? [] : ['--server', 'embedded'];
  command.parse([...args, ...server], { from: 'user' });
  try {
    return readSearchRequest(name, command.opts<SearchWords>(), serverKinds);
  } catch (error) {
    if (!(error instanceof LoadlineError)) throw error;
    expect(error.code).toBe('E_USAGE');
    return error instanceof SeveralFaults ? error.faults.map(({ message }) => message) : [error.message];
  }
}

const cells = (Object.keys(players) as Kind[]).flatMap((kind) =>
  (Object.keys(loads) as By[]).map((by) => ({ kind, by, words: [...players[kind], ...loads[by]] })),
);

test('the page says of each player, load and what is beside it whether they go together, and why not', () => {
  const notes: string[] = [];
  const noted = (sentence: string): number => {
    if (!notes.includes(sentence)) notes.push(sentence);
    return notes.indexOf(sentence) + 1;
  };
  const lines = cells.map(({ kind, by, words }) => {
    const found = Object.values(beside).map((more) => read([...words, ...more]));
    const told = found.map((one) => (Array.isArray(one) ? [...new Set(one.map(noted))].join(', ') : 'yes'));
    return `| ${kind}, ${by} | ${told.join(' | ')} |`;
  });
  const table = [
    `| players, size counts | ${Object.keys(beside).join(' | ')} |`,
    `|---|${Object.keys(beside)
      .map(() => '---|')
      .join('')}`,
    ...lines,
    '',
    ...notes.map((note, nth) => `${nth + 1}. ${note}`),
  ];
  writeTable('together', table, 'docs/reference/finding.md');
  if (!writesTables()) expect(tableOnPage('together', 'docs/reference/finding.md')).toEqual(table);
});

for (const { kind, by, words } of cells) {
  test(`${kind} and ${by}: played where they go together, refused in a sentence where they do not`, async () => {
    const asked = read([...words, '--measure', '30s', '--settle', '15s', '--no-warm-up']);
    if (!('plan' in asked)) {
      expect(asked.every((sentence) => sentence.endsWith('.'))).toBe(true);
      return;
    }
    const { verdict } = await played(asked);
    expect([verdict.kind, verdict.reasons]).toEqual(['stable', []]);
  });
}

/** One small trial of it, on parts that exist in numbers alone. */
async function played({ plan, scenario }: RunRequest) {
  const queue = { serviceMs: () => 1 };
  const { parts } =
    plan.load.by === 'sessions'
      ? aSimulatedRun({ scenario, capacity: 100, voidRate: 0 })
      : plan.players.kind === 'signalling'
        ? queuedParts({ queue })
        : browsingParts({ queue });
  const { signal } = new AbortController();
  const run = { plan, server: await parts.server.start(signal), host: parts.host };
  const watch = new ServerWatch(parts.server);
  const setting = { run, scenario, parts, watch, index: 1, size: 1, why: 'baseline' as const, baseline: null };
  return (await runTrial(setting, signal)).record;
}

const large = ['--resolution', '960x540', '--video-kbps', '1000'] as const;
const sent = {
  '--simulcast': ['--simulcast', ...large],
  '--svc': ['--svc', 'L3T3', '--codec', 'VP9', ...large],
  '--screen': ['--screen'],
  '--audio-only': ['--audio-only'],
  '--muted': ['--muted', '50%'],
  '--speech': ['--speech', 'p59'],
  '--camera-off': ['--camera-off', '50%'],
  '--data': ['--data', '10/s'],
} as const;
const room = (...words: readonly string[]) => ['sfu-group', ...words];
const sending: Readonly<Record<Kind, readonly string[]>> = {
  full: room(),
  encoded: room('--media', 'encoded'),
  native: room('--media', 'native'),
  signalling: room('--media', 'none', ...loads.arrivals),
  visiting: players.visiting,
};

test('of what is sent each kind of player plays it, or it is refused by its name', () => {
  const playedBy = (kind: Kind) =>
    Object.entries(sent).flatMap(([flag, more]) => {
      const found = read([...sending[kind], ...more]);
      if ('plan' in found) return [flag];
      for (const sentence of found) expect(sentence, `${kind}, ${flag}`).toContain(flag);
      return [];
    });
  const crowd = ['--audio-only', '--muted', '--speech', '--camera-off'];
  expect(playedBy('full')).toEqual(Object.keys(sent));
  expect(playedBy('encoded')).toEqual([...crowd, '--data']);
  expect(playedBy('native')).toEqual(['--simulcast', ...crowd]);
  expect(playedBy('signalling')).toEqual([]);
  expect(playedBy('visiting')).toEqual([]);
});
