/**
 * Real media servers, row by row: each scenario × kind of probes × recorded or not × a plain or a lossy network, one
 * short trial each, by the command line of the tool. Servers are those that the environment names:
 * LOADLINE_REAL_NAME has what stands behind `--server`, then flags of `loadline try`. Prints Markdown; progress goes to
 * stderr. Usage: npm run real -- [--server NAME,…] [--scenario …] [--players full,encoded,native,none] [--record
 * no,yes] [--network plain,lossy] [--json FILE] [--write] Exits 3 when a row that was played is not stable, 2 where
 * nothing can be played.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RunResult } from '../model/run.js';
import { readRun } from '../store/run-directory/read-run.js';
import * as matrix from './real/matrix.js';
import { NoMatrix } from './real/matrix.js';
import { figuresOf, joinedOf, type Row, type RowVerdict } from './real/row.js';
import { exitCodeOf, serverTable, tolerances } from './real/table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'docs/lab/real-servers.md');
/** Void says nothing about the server: such a row is played again. */
const playsMax = 3;
/** What the tool cannot do with a server, or here; any other error of the command line ends the matrix. */
const refusals = ['E_USAGE', 'E_CANNOT_MIX', 'E_NETWORK_MEANS'];

async function playToVerdict(cell: matrix.Cell, server: matrix.RealServer): ReturnType<typeof play> {
  let played = await play(cell, server);
  for (let nth = 1; nth < playsMax && played.row.verdict === 'void'; nth += 1) {
    console.error(`${Object.values(cell).join(' ')}: void, again. ${played.row.why.join(' ')}`);
    played = await play(cell, server);
  }
  return played;
}

async function play(
  cell: matrix.Cell,
  server: matrix.RealServer,
): Promise<{ readonly row: Row; readonly name: string }> {
  const out = await mkdtemp(join(tmpdir(), 'loadline-real-'));
  const startedMs = performance.now();
  const row = (verdict: RowVerdict, why: readonly string[], seen: Partial<Row> = {}): Row => {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    return { ...cell, verdict, why, figures: {}, seconds, ...seen };
  };
  try {
    const ended = await loadline([...matrix.wordsOf(cell, server), '--out', out]);
    const [, code = '', sentence = ''] = /^error (E_\w+): (.*)$/m.exec(ended.stderr) ?? [];
    if (refusals.includes(code)) return { row: row('refused', whyOf(ended.stderr, sentence, server)), name: '' };
    if (ended.exitCode === 2) throw new NoMatrix(ended.stderr);
    if (ended.stdout === '')
      return { row: row('failed', [ended.stderr.trim().split('\n').slice(0, 3).join(' ')]), name: '' };
    const { runDirectory, server: name } = JSON.parse(ended.stdout) as RunResult;
    const run = await readRun(runDirectory);
    const record = run.records.at(-1);
    if (record === undefined) return { row: row('failed', ['No trial was stored.']), name };
    const { value: samples } = await run.readSamples(record.index);
    const why = record.verdict.reasons.slice(0, 3).map(({ text }) => text);
    const seen = { joined: joinedOf(record), figures: figuresOf(record, samples, cell.player) };
    return { row: row(record.verdict.kind, why, seen), name };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Things that cannot be had together, each by itself; more than one only where the server's own flags are meant. */
function whyOf(stderr: string, sentence: string, { words }: matrix.RealServer): readonly string[] {
  const block = /^ {4}why {5}([\s\S]*?)(?=^ {4}\w)/m.exec(stderr)?.[1] ?? '';
  const all = /^\d+ things /.test(sentence) ? block.trim().split(/\s*\n\s*/) : [sentence];
  const others = all.filter((text) => !words.some((word) => word.startsWith('--') && text.startsWith(`${word} `)));
  return others.length === 0 ? all : others;
}

function loadline(words: readonly string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(root, 'dist/loadline.js'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOADLINE_NO_SETUP: '1' },
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, ...text }));
  });
}

async function write(name: string, lines: readonly string[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [begin, end] = [`<!-- real ${name} -->`, `<!-- /real ${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new NoMatrix(`docs/lab/real-servers.md has no ${begin} … ${end}`);
  await writeFile(page, `${text.slice(0, from)}\n${lines.join('\n')}\n${text.slice(to)}`);
}

const list = (name: string, text: string, all: readonly string[]): readonly string[] => {
  const chosen = text.split(',');
  const unknown = chosen.find((one) => !all.includes(one));
  if (unknown !== undefined) throw new NoMatrix(`--${name} is of ${all.join(', ')}, not "${unknown}"`);
  return chosen;
};

function flagsOf() {
  const text = (all: readonly string[]) => ({ type: 'string', default: all.join(',') }) as const;
  return parseArgs({
    options: {
      server: { type: 'string' },
      scenario: text(matrix.scenarioNames),
      players: text(matrix.playerNames),
      record: text(matrix.recordNames),
      network: text(matrix.networkNames),
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  }).values;
}

async function playAll(): Promise<number> {
  const flags = flagsOf();
  const named = matrix.serversIn(process.env);
  const names = named.map(({ name }) => name);
  const chosen = list('server', flags.server ?? names.join(','), names);
  const choice = {
    scenario: list('scenario', flags.scenario, matrix.scenarioNames),
    player: list('players', flags.players, matrix.playerNames),
    record: list('record', flags.record, matrix.recordNames),
    network: list('network', flags.network, matrix.networkNames),
  };
  const servers = named.filter(({ name }) => chosen.includes(name));
  const minutes =
    servers.flatMap((one) => matrix.cellsOf(one, choice)).reduce((sum, one) => sum + matrix.secondsOf(one), 0) / 60;
  const commit = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  console.error(`${chosen.join(', ')}: up to ${Math.ceil(minutes)} min; what a server cannot do takes a second.`);
  console.error(`Kinds of probes may be apart by: ${tolerances()}.`);
  const all: Row[] = [];
  for (const server of servers) {
    const rows: Row[] = [];
    let called = server.name;
    for (const cell of matrix.cellsOf(server, choice)) {
      const { row, name } = await playToVerdict(cell, server);
      rows.push(row);
      if (name !== '') called = name;
      console.error(`${Object.values(cell).join(' ')}: ${row.verdict}, ${row.seconds} s. ${row.why.join(' ')}`);
    }
    all.push(...rows);
    const day = new Date().toISOString().slice(0, 10);
    const lines = serverTable(
      `${called}, commit ${commit}, ${day}, ${cpus().length} cores, server and probes on one host`,
      rows,
    );
    console.log(`${lines.join('\n')}\n`);
    if (flags.write) await write(server.name, lines);
  }
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(all, undefined, 2)}\n`);
  return exitCodeOf(all);
}

try {
  process.exitCode = await playAll();
} catch (error) {
  const isWrong = error instanceof NoMatrix || /^ERR_PARSE_ARGS/.test(String((error as { code?: unknown }).code));
  console.error(isWrong ? (error as Error).message : error);
  process.exitCode = isWrong ? 2 : 1;
}
