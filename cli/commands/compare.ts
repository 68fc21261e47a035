import { basename } from 'node:path';
import type { Command } from 'commander';
import { compareRuns } from '../../analysis/compare/compare.js';
import { holdsShare } from '../../analysis/compare/fail-below.js';
import { drawnOrder } from '../../analysis/compare/run-order.js';
import { comparisonMarkdown, comparisonText } from '../../analysis/report/comparison.js';
import { type ReleaseReport, releaseJunit, releaseMarkdown, releaseText } from '../../analysis/report/release-text.js';
import { planText, type RunOrderPlan } from '../../analysis/report/run-order-text.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { exampleOf, type ServerKind } from '../../server-setup/server-kind.js';
import { mostRuns, releaseReport } from '../compare/release-report.js';
import { exitCodeLines, exitCodeOfChecks, exitCodeOfShare } from '../exit-codes.js';
import { addFlags, type Flags, goingWith, readFlags, type WordsOf } from '../options/flag.js';
import { type TrustFlags, trustFlags, trustOf } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import { readWord } from '../options/values.js';
import { count, share, word } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { namedRunFolders, openRun } from '../report/open-run.js';

const help = ({ name }: ReturnType<typeof exampleOf>) => `
Limits side by side, and everything that was written down and differs: plan, server, machine, kernel, Chromium, Loadline.

Exit codes with --fail-below, --baseline and --expect:
${exitCodeLines('check')}

Examples:
  loadline compare runs/before runs/after --fail-below 95%
  loadline compare runs/2026-11-20T09-00-00-one-to-one-${name} runs/2026-11-21T09-00-00-one-to-one-${name}
  loadline compare runs/*-${name} --format markdown
  loadline compare --plan 8 --baseline v2.2
  loadline compare runs/new-* --baseline v2.2 --format junit > release.xml
  loadline compare runs/new-* --expect capacity.yaml`;

const compareFlags = {
  ...trustFlags,
  format: {
    takes: 'format',
    about: 'text, json or markdown; with --baseline or --expect also junit',
    value: word(['text', 'json', 'markdown', 'junit']),
    usual: 'text',
  },
  failBelow: { about: 'exit 3 when a later run holds less than this share of what the first holds: 95%', value: share },
  baseline: { takes: 'tag', about: 'exit 3 when the runs are worse than the last ones with this tag' },
  among: {
    takes: 'dir',
    about: 'the folder with the runs of the tag (default: that of the first run)',
    with: '--baseline',
    withValue: 'v2.2',
  },
  chance: {
    about: 'how often at most --baseline may call something worse that is not (default: 5%)',
    value: share,
  },
  expect: { takes: 'file', about: 'exit 3 when a run holds less than this file expects of it: capacity.yaml' },
  plan: {
    takes: 'pairs',
    about: 'only say in which order to run two releases, so that --baseline can compare them: 8',
    value: count({ from: 2, to: mostRuns }),
  },
  ...goingWith('--plan', { seed: { about: 'of the order, which is left to chance', value: count({ from: 0 }) } }, '8'),
} as const satisfies Flags;

const usualSeed = 1;
/** A share of all. */
const usualChance = 0.05;

type CompareWords = WordsOf<typeof compareFlags>;

export function addCompare(
  program: Command,
  tool: ToolProcess,
  onExitCode: (code: number) => void,
  kinds: readonly ServerKind[],
): void {
  const command = program
    .command('compare')
    .summary('put stored runs side by side')
    .description('Puts the limits of stored runs side by side, with what else differs between them.')
    .argument(
      '[runs...]',
      'two runs or more, each a folder, its name, a tag or latest; with --baseline or --expect one is enough, and a tag is all its runs',
    );
  addFlags(command, compareFlags)
    .addHelpText('after', help(exampleOf(kinds)))
    .action(async (paths: readonly string[], flags: CompareWords) => {
      if (flags.plan !== undefined) return onExitCode(planRuns(paths, flags, tool));
      if (flags.chance !== undefined && flags.baseline === undefined) {
        const what = '--chance without --baseline or --plan changes nothing.';
        throw usageError(what, ['--chance', '--baseline'], 'add --baseline v2.2, or leave --chance out');
      }
      const checks = flags.baseline !== undefined || flags.expect !== undefined;
      onExitCode(checks ? await checkRuns(paths, flags, tool) : await compare(paths, flags, tool));
    });
}

async function openRuns(folders: readonly string[], flags: TrustFlags, tool: ToolProcess): Promise<FinishedRun[]> {
  const stored = await Promise.all(folders.map((folder) => openRun(folder, trustOf(flags))));
  for (const { directory, warnings } of stored) {
    for (const warning of warnings) tool.stderr.write(`warning: ${directory}: ${warning}\n`);
  }
  return stored.map(finishedRun);
}

/** Before anything is measured: which release runs when. */
function planRuns(paths: readonly string[], words: CompareWords, { stdout }: ToolProcess): number {
  const flags = readFlags(compareFlags, words);
  const { plan: pairs = 0, seed = usualSeed, chance = usualChance, baseline = 'before' } = flags;
  if (paths.length > 0 || words.expect !== undefined || flags.failBelow !== undefined) {
    throw usageError(
      '--plan reads no runs.',
      ['--plan'],
      'write for example loadline compare --plan 8 --baseline v2.2',
    );
  }
  const format = readWord(words.format, '--format', ['text', 'json']);
  const plan: RunOrderPlan = { seed, chance, earlier: baseline, first: drawnOrder(pairs, seed) };
  stdout.write(format === 'json' ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));
  return 0;
}

/** Against earlier runs, and against what is expected. */
async function checkRuns(paths: readonly string[], flags: CompareWords, tool: ToolProcess): Promise<number> {
  const { format, chance = usualChance, failBelow } = readFlags(compareFlags, flags);
  if (failBelow !== undefined) {
    const what = '--fail-below compares runs with the first of them, not with a tag.';
    throw usageError(what, ['--fail-below'], 'leave --fail-below out');
  }
  const { baseline: tag, among, expect } = flags;
  if (paths.length === 0) throw usageError('No run is named.', ['compare'], 'name the folders of the runs to check');
  const ask = { chance, trust: trustOf(flags), tag, among, expectations: expect };
  const folders = await Promise.all(paths.map((path) => namedRunFolders(path, tool)));
  const report = await releaseReport(await openRuns(folders.flat(), flags, tool), ask, tool);
  const texts = {
    text: releaseText,
    json: (one: ReleaseReport) => `${JSON.stringify(one, null, 2)}\n`,
    markdown: releaseMarkdown,
    junit: releaseJunit,
  };
  tool.stdout.write(texts[format](report));
  const ofBaseline = { worse: 'failed', unknown: 'unknown', 'none-worse': 'met' } as const;
  const { baseline, expectations } = report;
  return exitCodeOfChecks([
    ...(baseline ? [ofBaseline[baseline.check.kind]] : []),
    ...expectations.map(({ kind }) => kind),
  ]);
}

/** Of a tag the newest run, which is told where there are others. */
async function newestNamed(word: string, tool: ToolProcess): Promise<string> {
  const [newest = word, ...others] = await namedRunFolders(word, tool);
  if (others.length > 0) {
    const all = `--baseline ${word} compares with all of them`;
    tool.stderr.write(`${word}: of ${others.length + 1} runs the newest is taken, ${basename(newest)}; ${all}\n`);
  }
  return newest;
}

async function compare(paths: readonly string[], flags: CompareWords, tool: ToolProcess): Promise<number> {
  const { failBelow } = readFlags(compareFlags, flags);
  const format = readWord(flags.format, '--format', ['text', 'json', 'markdown']);
  if (paths.length < 2) {
    const todo = 'name two folders or more: loadline compare RUN RUN';
    const what = paths.length === 0 ? 'No run is named.' : 'One run alone cannot be compared.';
    throw usageError(what, [paths[0] ?? 'compare'], todo);
  }
  const folders = await Promise.all(paths.map((path) => newestNamed(path, tool)));
  const comparison = compareRuns(await openRuns(folders, flags, tool));
  const texts = {
    text: () => comparisonText(comparison),
    json: () => `${JSON.stringify(comparison, null, 2)}\n`,
    markdown: () => comparisonMarkdown(comparison),
  };
  tool.stdout.write(texts[format]());
  if (failBelow === undefined) return 0;
  const { kind, sentences } = holdsShare(comparison, failBelow);
  const said = sentences.map((sentence) => `  ${sentence}\n`).join('');
  (format === 'text' ? tool.stdout : tool.stderr).write(said);
  return exitCodeOfShare(kind);
}
