import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { long } from '../effort.js';
import { randomFrom } from '../random.js';
import { runHere } from './run-here.js';
import type { Ended } from './run-loadline.js';

/**
 * Nothing but flags and plan files that are wrong, by hand and made from a grammar. They go to `plan`, which reads what
 * `find` reads and starts nothing even if one of them were right after all.
 */
const flagSets = 150;
const planFiles = 150;
/** So many of each are in the short suite, the others in the long one. */
const often = 30;

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-malformed-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const loadline = (args: readonly string[]) => runHere(args, { workingFolder: folder });

/** One error with a place and a remedy, exit 2, no stack; what it lacks, in words. */
function lackedBy({ exitCode, stdout, stderr }: Ended): readonly string[] {
  const rules: Readonly<Record<string, boolean>> = {
    'exits with 2': exitCode === 2,
    'says nothing on standard output': stdout === '',
    'says one error': stderr.match(/^error E_[A-Z_]+: \S/gm)?.length === 1,
    'says where': /^ {4}where {3}\S/m.test(stderr),
    'says what to do': /^ {4}do {6}\S/m.test(stderr),
    'shows no stack': !/^\s+at .+:\d+:\d+\)?$/m.test(stderr),
    'shows nothing of the inside': !/E_INTERNAL|undefined|\[object/.test(stderr),
  };
  return Object.entries(rules).flatMap(([rule, kept]) => (kept ? [] : [rule]));
}

/** The complaint of a test is what was given. */
function expectRefusal(ended: Ended, given: string): void {
  expect(lackedBy(ended), `${given}\n---\n${ended.stdout}${ended.stderr}`).toEqual([]);
}

type Random = ReturnType<typeof randomFrom>;
const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

const badCounts = ['0', '-1', '1.5', '1e3', 'abc', '', '1000000', '0x10', ' ', '٣', '4,8', 'null'];
const badDurations = ['', 'soon', '60', '0s', '-5s', '5 minutes', '99h', '1e3s', 'NaNs', 's', '5d', '1m30s'];
const badRates = ['3', '0mbit', 'fast', '-1mbit', '3 mbit', '3mb', ''];
const goodExpressions = ['video.loss.mean <= 1%', 'bitrate.mean >= 80% of baseline', 'p95(join.firstFrame) <= 5s'];
const measuresOfNobody = [
  'video.los',
  'vidoe.loss',
  'loss.video',
  'join',
  'join.end',
  'p99(rtt)',
  'received',
  '1%',
  '',
];

/** An expression that no reading makes sense of. */
function badExpression(random: Random): string {
  const good = pick(random, goodExpressions);
  const breaks: readonly (() => string)[] = [
    () => good.replace(/[<>]=/, pick(random, ['<', '>', '=', '==', '!=', '=<', '~', ''])),
    () => good.replace(/\d+/, pick(random, ['-1', 'some', '', '1 2', '.5', '1e3'])),
    () => `${pick(random, measuresOfNobody)} <= ${pick(random, ['1%', '5s', '7'])}`,
    () => `${good} ${pick(random, ['please', 'of baseline', '&& true', ';', ')', '1'])}`,
    () => good.slice(0, Math.floor(random() * (good.indexOf('=') + 1))),
    () => good.replace(/ [<>]=.*/, pick(random, [' <= 1 furlong', ' >= 80% of average', ' <= %', ' ≤', ' <= 1//s'])),
    () => `bad ${pick(random, ['probe', 'sessions', ''])} <= 1`,
  ];
  return pick(random, breaks)();
}

const badFlags: readonly ((random: Random) => readonly string[])[] = [
  (random) => [pick(random, ['--from', '--max', '--confirm', '--probes-per-page']), pick(random, badCounts)],
  (random) => [pick(random, ['--measure', '--settle', '--budget']), pick(random, badDurations)],
  (random) => ['--egress-limit', pick(random, badRates)],
  (random) => ['--pace', pick(random, ['fast', '0/s', '-2/s', '2/m', '1001', '', '2/s/s'])],
  (random) => ['--threshold', badExpression(random)],
  (random) => ['--preset', pick(random, ['Strict', 'zoom', '', 'default,strict', '__proto__', 'constructor'])],
  (random) => ['--server', pick(random, ['http://a:1', 'kurento://', 'somewhere', '', 'kurento://a:99999', '://'])],
  (random) => ['--within', pick(random, ['0', '0%', '100%', '-5%', 'near', '5%%'])],
  (random) => ['--strategy', pick(random, ['random', 'fixed', '', 'Bisect'])],
  (random) => ['--confidence', pick(random, ['1', '100%', '-0.9', 'high', '0', '.'])],
  (random) => ['--format', pick(random, ['xml', 'JSON', ''])],
  (random) => [`--${pick(random, ['frobnicate', 'mesure', 'thresholds', 'Max', 'max-'])}`, '5'],
  () => ['--max', '8', '--from', '9'],
  () => ['--measure'],
  (random) => [pick(random, ['--plan', '--plan=']), pick(random, ['nowhere.yaml', '.', '/dev/null/x'])],
];

for (let seed = 1; seed <= flagSets; seed += 1) {
  test(`flag set ${seed} of the grammar of mistakes is refused`, seed > often ? long : {}, async () => {
    const random = randomFrom(seed);
    const mistakes = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, badFlags)(random));
    // The last of two equal flags counts, so a mistake is never mended by another that follows.
    const scenario = random() < 0.1 ? pick(random, ['one-to-two', 'One-To-One', '', 'toString']) : 'one-to-one';
    const args = ['plan', scenario, ...mistakes.flat()];
    expectRefusal(await loadline(args), JSON.stringify(args));
  });
}

const yamlOf = (value: string) => JSON.stringify(value);
const badLines: readonly ((random: Random) => string)[] = [
  (random) =>
    `${pick(random, ['from', 'max', 'confirm', 'probesPerPage'])}: ${pick(random, ['0', '-1', '1.5', 'abc', '1e9', '[4]', '{a: 1}', '"8"', 'true', '.nan', '.inf'])}`,
  (random) =>
    `${pick(random, ['measure', 'settle', 'budget'])}: ${pick(random, ['60', 'soon', '0.5', '[60s]', 'true', '{s: 60}', '"60 s"', '""'])}`,
  (random) => `egressLimit: ${pick(random, ['3', 'fast', '[3mbit]', '-3mbit'])}`,
  (random) => `pace: ${pick(random, ['0', '-1', 'fast', '2/m', '[2]', 'false'])}`,
  (random) => `preset: ${pick(random, ['zoom', '7', '[strict]', 'Strict'])}`,
  (random) =>
    `thresholds: ${pick(random, ['video.loss.mean <= 1%', '7', '{a: b}', '[7]', '[[]]', '[{a: 1}]', '[""]'])}`,
  (random) => `thresholds:\n  - ${yamlOf(badExpression(random))}\n  - ${yamlOf(pick(random, goodExpressions))}`,
  (random) => `${pick(random, ['mesure', 'Max', 'threshold', 'resume', 'plan', 'extra', '__proto__', '"": 1\nx'])}: 1`,
  (random) => `strategy: ${pick(random, ['random', '1', '[bisect]'])}`,
  (random) => `sizes: ${pick(random, ['4', '[]', '[0]', '[a]', '"4,8"'])}`,
  (random) => `confidence: ${pick(random, ['1', '0', '-0.1', 'high', '100%'])}`,
  (random) => `within: ${pick(random, ['0', 'near', '-1', '[1]', '100%%'])}`,
  (random) => `server: ${pick(random, ['7', '[a]', '{url: a}', '""', 'true'])}`,
  (random) => `server: ${pick(random, ['http://a:1', 'kurento://', 'somewhere'])}`,
  (random) =>
    pick(random, [
      'max: 4\nmax: 5',
      'max: [4',
      '\tmax: 4',
      'max: 4: 5',
      'max: "4',
      '- max',
      'max: *nothing',
      '%max',
      '@max: 1',
    ]),
  () => 'max: 4\nfrom: 5',
  () => 'measure: 99h',
];

for (let seed = 1; seed <= planFiles; seed += 1) {
  test(`plan file ${seed} of the grammar of mistakes is refused at a line`, seed > often ? long : {}, async () => {
    const random = randomFrom(1000 + seed);
    const count = 1 + Math.floor(random() * 3);
    const mistakes = new Set(Array.from({ length: count }, () => pick(random, badLines)(random)));
    const first =
      random() < 0.15
        ? pick(random, ['scenario: one-to-two', 'scenario: 7', '# none', 'scenario:'])
        : 'scenario: one-to-one';
    const text = `${first}\n${[...mistakes].join('\n')}\n`;
    const file = `plan-${seed}.yaml`;
    writeFileSync(join(folder, file), text);
    const refusal = await loadline(['plan', file]);
    expectRefusal(refusal, text);
    expect(refusal.stderr, text).toMatch(new RegExp(`plan-${seed}\\.yaml:\\d+:\\d+`));
  });
}

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghij'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]}, `.repeat(9)}]`),
].join('\n');
const byHand: readonly (readonly [string, string])[] = [
  ['an empty file', ''],
  ['a file of spaces', '   \n\n  '],
  ['a comment alone', '# scenario: one-to-one'],
  ['null', 'null'],
  ['a number', '42'],
  ['a word', 'one-to-one'],
  ['a list', '- one-to-one\n- broadcast'],
  ['two documents', 'scenario: one-to-one\n---\nscenario: broadcast'],
  ['binary', '\u0000\u0001\u0002ELF\u0000'],
  ['half of a JSON document', '{"scenario": "one-to-one", "max":'],
  ['HTML', '<html><body>404</body></html>'],
  ['a bomb of aliases', `scenario: one-to-one\n${bomb}`],
  ['an alias of itself', 'scenario: &a one-to-one\nthresholds: &b [*b]'],
  ['an unknown tag', 'scenario: !!js/function "one-to-one"\nmax: !foo 4'],
  ['keys that are lists', '? [scenario]\n: one-to-one'],
  ['a prototype', '__proto__: {scenario: one-to-one}'],
  ['very deep', `scenario: ${'['.repeat(200)}${']'.repeat(200)}`],
  ['very long', `scenario: one-to-one\nout: "${'x'.repeat(1_000_001)}"`],
];

for (const [what, text] of byHand) {
  test(`a plan file that is ${what} is refused`, async () => {
    writeFileSync(join(folder, 'by-hand.yaml'), text);
    expectRefusal(await loadline(['plan', 'by-hand.yaml']), what);
    expectRefusal(await loadline(['find', 'by-hand.yaml']), what);
  });
}

const byHandArgs: readonly (readonly string[])[] = [
  ['find', 'nowhere.yaml'],
  ['find', 'one-to-one', '--plan', 'nowhere.yaml'],
  ['find', '--plan'],
  ['plan'],
  ['plan', 'one-to-one', 'extra'],
  ['judge'],
  ['judge', 'nowhere'],
  ['judge', '.', '--threshold', 'video.los <= 1%'],
  ['judge', '.', '--preset', 'zoom'],
  ['judge', '.', '--format', 'yaml'],
  ['doctor', '--server', 'somewhere'],
  ['doctor', 'extra'],
  ['try', 'one-to-one', '--size', '2', '--threshold', 'nothing'],
  ['find', 'one-to-one', '--threshold', 'video.loss <= 1', '--threshold', 'audio.fps >= 3'],
];

for (const args of byHandArgs) {
  test(`loadline ${args.join(' ')} is refused`, async () => {
    expectRefusal(await loadline(args), args.join(' '));
  });
}

test('several thresholds that cannot be read are all pointed at', async () => {
  const { stderr } = await loadline([
    'plan',
    'one-to-one',
    '--threshold',
    'video.los <= 1%',
    '--threshold',
    'mos >= x',
  ]);
  expect(stderr).toContain('error E_THRESHOLD: 2 thresholds cannot be read.');
  expect(stderr.match(/\^/g)?.length).toBeGreaterThan(1);
});

test('nothing was made by any of them', () => {
  expect(readdirSync(folder).filter((name) => !name.endsWith('.yaml'))).toEqual([]);
});
