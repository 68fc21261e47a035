import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../../cli/command-line.js';
import { exitCodes } from '../../cli/exit-codes.js';
import { foldedHelp } from '../../cli/help-text.js';
import { networkPresetNames } from '../../cli/networks/presets.js';
import { scenarios } from '../../scenarios/index.js';
import { serverKinds } from '../../server-setup/kinds.js';
import { fakeProcess } from './fake-process.js';

/** The same command line in this process: a process of its own takes most of a second for each help. */
async function runHere(args: readonly string[], columns = 80) {
  const plain = fakeProcess({ args });
  const tool = { ...plain, stdout: { ...plain.stdout, columns } };
  const exitCode = await runCommandLine(tool);
  return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr(), columns: tool.stdout.columns };
}

for (const command of [
  'find',
  'try',
  'plan',
  'simulate',
  'judge',
  'report',
  'compare',
  'runs',
  'doctor',
  'monitor',
  'serve',
  'host',
  'hosts',
  'help',
  'completion',
  'man',
]) {
  test(`loadline ${command} --help is on stdout, exits 0 and has examples`, async () => {
    const { stdout, stderr, exitCode } = await runHere([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('Examples:\n');
    expect(stdout).toContain(`\n  loadline ${command}`);
  });
}

test('the help of find has the everyday flags alone, and all of them when asked', async () => {
  const flagsOf = (text: string) => new Set(text.match(/^ {2}(?:-\w, )?--[a-z][a-z-]*(?= [<a-z]| {2}|\n)/gm));
  const short = (await runHere(['find', '--help'])).stdout;
  expect(flagsOf(short).size).toBeLessThanOrEqual(16);
  expect(short.split('\n').length).toBeLessThan(80);
  const rest = Number(/(\d+) more flags.*loadline help find --all/.exec(short)?.[1]);
  for (const words of [
    ['help', 'find', '--all'],
    ['find', '--help', '--all'],
  ]) {
    const { stdout, exitCode } = await runHere(words);
    expect(exitCode).toBe(0);
    // Notes below the flags begin with some of them.
    expect(flagsOf(stdout.split('\nScenarios:')[0] ?? '').size).toBe(flagsOf(short).size + rest);
  }
});

test('there is help on scenarios, thresholds, networks and servers, made of what there is', async () => {
  const about = async (topic: string) => {
    const { stdout, exitCode } = await runHere(['help', topic]);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    return stdout;
  };
  for (const { name } of scenarios) expect(await about('scenarios')).toContain(`  ${name} `);
  for (const words of ['video.loss.mean <= 1%', '--preset strict', 'audio.mos.mean'])
    expect(await about('thresholds')).toContain(words);
  for (const name of networkPresetNames) expect(await about('networks')).toContain(`  ${name} `);
  for (const { name, place } of serverKinds)
    expect(await about('servers')).toContain(place.by === 'start' ? name : place.form);
  expect((await runHere(['help', 'treshold'])).stderr).toContain('thresholds');
});

test('the version is told by a flag, a letter and a word', async () => {
  const told = await Promise.all(
    [['--version'], ['-v'], ['version']].map(async (words) => (await runHere(words)).stdout),
  );
  expect(new Set(told).size).toBe(1);
});

test('the help of find lists every scenario and every exit code', async () => {
  const { stdout } = await runHere(['find', '--help']);
  for (const scenario of scenarios) expect(stdout).toContain(`  ${scenario.name} `);
  // Long ones are folded to the width of the terminal.
  const unfolded = stdout.replace(/\n {7,}/g, ' ');
  for (const { code, find } of exitCodes) expect(unfolded).toContain(`\n  ${String(code).padEnd(4)} ${find}`);
});

test('no line of any help is wider than the terminal, but for command lines, which are there to be copied', async () => {
  for (const words of [[], ['find'], ['try'], ['plan'], ['report'], ['compare'], ['monitor'], ['serve'], ['export']]) {
    for (const columns of words[0] === 'find' ? [40, 80] : [80]) {
      const { stdout } = await runHere([...words, '--help', '--all'], columns);
      const wide = stdout.split('\n').filter((line) => line.length > columns);
      expect(wide.filter((line) => !/^ *(loadline .*|--\S+ '?http\S+|\S+)$/.test(line))).toEqual([]);
    }
  }
});

test('help is folded where it is too wide and nowhere else: prose by paragraphs, rows behind their label, command lines not at all', () => {
  const fits = 'Exit codes:\n  0    fine\n';
  expect(foldedHelp(fits, 20)).toBe(fits);
  expect(foldedHelp('one two three four five\nsix\n\n  4    no answer that is sure', 21)).toBe(
    'one two three four\nfive six\n\n  4    no answer that\n       is sure',
  );
  expect(foldedHelp('  --settle <time>      longest wait for rates to stop growing', 30)).toBe(
    '  --settle <time>\n      longest wait for rates\n      to stop growing',
  );
  expect(foldedHelp('  loadline find one-to-one --max 3', 20)).toBe('  loadline find one-to-one --max 3');
});

test('the help of find lists flags by what they are about, and says from the table what cannot be had together', async () => {
  const { stdout } = await runHere(['find', '--help', '--all']);
  for (const heading of ['What a size counts:', 'The media server:', 'Limits:', 'Search:'])
    expect(stdout).toContain(`\n${heading}\n`);
  expect(stdout).toContain('  visit            --full-share, --resolution, --simulcast,');
  expect(stdout).toMatch(
    / {2}--by arrivals {4}--network, --turn, --turn-server, --record, --preset,\s+--layout, --visible, --data, --strategy ramp\n/,
  );
});

test('the help of serve keeps what imitates other servers under a heading of its own', async () => {
  const { stdout } = await runHere(['serve', '--help']);
  const [plain = '', imitating = ''] = stdout.split(/^To imitate what other servers do.*$/m);
  const later = ['--rtx', '--congestion', '--leak', '--mix-fps', '--delay', '--delay-growth', '--sound-delay'];
  for (const flag of ['--report-interval', '--wrapped-report', '--slow-first-join', ...later]) {
    expect(plain).not.toContain(`  ${flag}`);
    expect(imitating).toContain(`  ${flag}`);
  }
});

test('the table of exit codes in docs is the one in the code', () => {
  const readme = readFileSync(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8');
  const rows = exitCodes.map((one) => `| ${one.code} | ${one.find} | ${one.try} | ${one.check} | ${one.other} |`);
  const head =
    '| code | `find`, `simulate`, `judge --require` | `try` | `compare` with a check, `monitor --once` | all commands |';
  expect(readme).toContain(`${head}\n|---|---|---|---|---|\n${rows.join('\n')}\n\n`);
});
