import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { environmentVariables } from '../../cli/documented/environment.js';
import { exitCodes } from '../../cli/exit-codes.js';
import { serverKinds } from '../../server-setup/kinds.js';
import { sinkKinds } from '../../store/sinks.js';
import { sourceFiles, withoutComments } from '../source-files.js';
import { runHere } from './run-here.js';

const variables = environmentVariables(serverKinds, sinkKinds);

test('loadline help COMMAND says what COMMAND --help says, also of commands below others', async () => {
  for (const words of [['find'], ['monitor', 'report'], []]) {
    expect(await runHere(['help', ...words])).toEqual(await runHere([...words, '--help']));
  }
});

test('help of a command that there is not is refused with those that there are', async () => {
  const { exitCode, stderr } = await runHere(['help', 'finde']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no command "finde".');
  expect(stderr).toContain('did you mean find?');
});

test('loadline help environment lists every variable that the product reads, and no other', async () => {
  const { stdout } = await runHere(['help', 'environment']);
  const listed = [...stdout.matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name]) => name);
  expect(listed).toEqual(variables.map(({ name }) => name));
  const setUp = ['chromium', 'report'].map((name) =>
    readFileSync(new URL(`../../set-up/${name}.mjs`, import.meta.url), 'utf8'),
  );
  const product = sourceFiles()
    .filter(({ path }) => !/^(tests|bench|docker|set-up)\/|\.test\.ts$|^playwright|documented\/environment/.test(path))
    .map(({ text }) => withoutComments(text));
  // How a run ties another of our own processes to itself, and the streams of the bus, are nobody's to set.
  const ours = ['LOADLINE_END_WITH_STDIN', 'LOADLINE_'];
  const read = new Set([...product, ...setUp].flatMap((text) => text.match(/\bLOADLINE_[A-Z_]*/g) ?? []));
  const names = variables.map(({ name }) => name);
  expect([...read].filter((name) => !ours.includes(name) && !names.includes(name))).toEqual([]);
  const sources = [...product, ...setUp].join('\n');
  expect(names.filter((name) => !sources.includes(name))).toEqual([]);
});

test('loadline --help and help exit-codes say what each code means', async () => {
  const help = (await runHere(['--help'])).stdout.replace(/\n {7,}/g, ' ');
  const alone = (await runHere(['help', 'exit-codes'])).stdout.replace(/\n {7,}/g, ' ');
  const lines = exitCodes.map(({ code, other }) => `  ${String(code).padEnd(4)} ${other}`);
  expect(lines.filter((line) => !help.includes(line) || !alone.includes(line))).toEqual([]);
});
