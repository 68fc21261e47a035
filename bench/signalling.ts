/**
 * What participants without media cost to play, and what they cost a server: calls come at one rate and each stays for
 * a time, on the embedded server by both of its protocols and on a Janus. This process plays all of them. Prints the
 * table of docs/lab/signalling.md. Usage: node dist/bench/signalling.js [--participants 2000] [--hold 40] [--seconds
 * 20] [SERVER …], of kurento, whip, janus. Needs a quiet machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process, { argv, execPath, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { percentileOf } from '../analysis/arrivals/time-histogram.js';
import type { ArrivalsRecord } from '../model/arrivals.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { EmbeddedProcess, steadyHeapFlags } from '../server-setup/embedded/embedded-process.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { WhipServer } from '../server-setup/whip/whip-server.js';
import { realTrial } from '../tests/arrivals/real-trial.js';
import { hasJanus, realJanus } from '../tests/real-janus.js';
import { cpuSecondsOf } from './stage/process-use.js';

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    participants: { type: 'string', default: '2000' },
    hold: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '20' },
  },
});
const there = Number(values.participants);
const holdSeconds = Number(values.hold);
const seconds = Number(values.seconds);

interface Contender {
  readonly name: string;
  readonly server: MediaServer;
  readonly pid: (facts: { readonly pid?: number }) => number;
  readonly more?: { readonly subscribe: 'one' | 'each'; readonly legs?: 'sending' };
  readonly close: () => Promise<void>;
}

const command = [execPath, ...steadyHeapFlags, fileURLToPath(new URL('../loadline.js', import.meta.url))];

const contenders: Readonly<Record<string, () => Promise<Contender | undefined>>> = {
  kurento: async () => {
    const server = new EmbeddedProcess({ command, record: false, startWithinMs: 60_000 });
    const close = async () => undefined;
    return { name: 'embedded, Kurento’s protocol', server, pid: ({ pid = 0 }) => pid, close };
  },
  whip: async () => {
    const { port, pid, close } = await serve();
    const at = (way: string) => `http://127.0.0.1:${port}/{stream}/${way}`;
    const addresses = { whip: at('whip'), whep: at('whep') };
    const server = new WhipServer({ addresses, env: {}, requestTimeoutMs: 9000, streamWithinMs: 7000 });
    return { name: 'embedded, WHIP and WHEP', server, pid: () => pid, more: { subscribe: 'each' }, close };
  },
  janus: async () => {
    if (!(await hasJanus())) return undefined;
    const janus = await realJanus();
    const server = new JanusServer({ url: janus.url, maxVideoKbps: 500, videoCodec: 'vp8' });
    const more = { subscribe: 'one', legs: 'sending' } as const;
    return { name: 'Janus 1.1, publishers alone', server, pid: () => janus.pid, more, close: () => janus.close() };
  },
};

/** The embedded server as its user starts it. */
async function serve() {
  const [node = '', ...script] = command;
  const child = spawn(node, [...script, 'serve', '--port', '0', '--exit-with-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  for await (const line of lines) {
    const port = /^listening ws:\/\/[^/]*:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    lines.close();
    child.stdout.resume();
    const close = async () => {
      child.stdin.end();
      await once(child, 'exit');
    };
    return { port, pid: child.pid ?? 0, close };
  }
  throw new Error('the embedded server does not listen');
}

interface Use {
  readonly atMs: number;
  readonly ownSeconds: number;
  readonly serverSeconds: number;
}

async function useOf(pid: number): Promise<Use> {
  const { user, system } = process.cpuUsage();
  return { atMs: Date.now(), ownSeconds: (user + system) / 1e6, serverSeconds: await cpuSecondsOf(pid) };
}

async function measure({ name, server, pid, more }: Contender): Promise<string> {
  const facts = await server.start(new AbortController().signal);
  const uses: Use[] = [];
  const timer = setInterval(() => void useOf(pid(facts)).then((use) => uses.push(use)), 500);
  try {
    const size = Math.max(1, Math.round(there / 2 / holdSeconds));
    const windows = { holdMs: holdSeconds * 1000, measureMs: seconds * 1000 };
    const load = { server, started: facts, scenario: oneToOne.name, size, ...windows, ...more };
    const { arrivals, record } = await realTrial(load);
    const { startMs = 0, endMs = 0 } = record.window ?? {};
    const within = uses.filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
    return rowOf(name, arrivals, within, record.verdict.kind);
  } finally {
    clearInterval(timer);
    await server.stop();
  }
}

/** What is told per participant is of joining and of leaving: in the window as many leave as come. */
function rowOf(name: string, arrivals: ArrivalsRecord, uses: readonly Use[], verdict: string): string {
  const [first, last] = [uses[0], uses.at(-1)];
  const spanSeconds = first && last ? (last.atMs - first.atMs) / 1000 : Number.NaN;
  const cores = (of: 'ownSeconds' | 'serverSeconds') =>
    first && last ? (last[of] - first[of]) / spanSeconds : Number.NaN;
  const joins = arrivals.answered / seconds;
  const each = (count: number | undefined) => (count === undefined ? '–' : (count / arrivals.due).toFixed(1));
  const kb = (bytes: number | undefined) => (bytes === undefined ? '–' : (bytes / arrivals.due / 1000).toFixed(1));
  const { traffic } = arrivals;
  const ms = (percent: number) => (percentileOf(arrivals.answer, percent) ?? Number.NaN).toFixed(0);
  const cells = [
    name,
    (2 * arrivals.presentMean).toFixed(0),
    joins.toFixed(1),
    String(arrivals.due - arrivals.answered),
    `${ms(50)}, ${ms(99)}`,
    `${cores('ownSeconds').toFixed(2)} (${((1000 * cores('ownSeconds')) / joins).toFixed(1)} ms)`,
    `${cores('serverSeconds').toFixed(2)} (${((1000 * cores('serverSeconds')) / joins).toFixed(1)} ms)`,
    each(traffic?.roundTrips),
    `${each(traffic?.sentMessages)}, ${kb(traffic?.sentBytes)} kB`,
    `${each(traffic?.receivedMessages)}, ${kb(traffic?.receivedBytes)} kB`,
    `${(percentileOf(arrivals.late, 99) ?? Number.NaN).toFixed(1)}, ${(percentileOf(arrivals.asleep, 99) ?? Number.NaN).toFixed(1)}`,
    verdict,
  ];
  return `| ${cells.join(' | ')} |`;
}

const heads = [
  'server',
  'participants there',
  'joins/s',
  'not answered',
  'to answer, p50, p99, ms',
  'CPU of who plays them, cores (a join and a leave)',
  'CPU of the server',
  'round trips',
  'sent',
  'received',
  'begun late, timer late, p99, ms',
  'verdict',
];
stdout.write(`| ${heads.join(' | ')} |\n|${heads.map(() => ' --- |').join('')}\n`);
for (const name of positionals.length > 0 ? positionals : Object.keys(contenders)) {
  const contender = await contenders[name]?.();
  if (!contender) {
    stdout.write(`${name}: not here\n`);
    continue;
  }
  try {
    stdout.write(`${await measure(contender)}\n`);
  } finally {
    await contender.close();
  }
}
