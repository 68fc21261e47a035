import type { Command } from 'commander';
import { foldOfTrial, rejudgeTrial, type StoredTrial } from '../../analysis/judge/rejudge.js';
import { baselineAfter, baselineFor } from '../../analysis/measure/baseline.js';
import { type Rejudged, rejudgedDocument, rejudgedText } from '../../analysis/report/rejudged.js';
import { stepAfter } from '../../analysis/search/answer-of-trials.js';
import { baselineFailuresDemanded } from '../../analysis/search/demand.js';
import { historyOf } from '../../analysis/search/history.js';
import { runResult } from '../../analysis/search/result.js';
import { answerSoFar } from '../../analysis/search/search.js';
import { asksForOneSize } from '../../analysis/search/undecided.js';
import { keepHeapSmall } from '../../host/small-heap.js';
import { LoadlineError } from '../../model/errors.js';
import type { Thresholds } from '../../model/plan.js';
import type { Answer, RunResult } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { Baseline, TrialRecord } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import { scenarioOf } from '../../scenarios/index.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { exitCodeLines, exitCodeOfFind, requirementOf } from '../exit-codes.js';
import { assertMeasured } from '../options/contradictions.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { outputFlags } from '../options/run-flags.js';
import { requireFlags } from '../options/search-request.js';
import { thresholdFlags, thresholdsOf } from '../options/threshold-flags.js';
import { trustFlags, trustOf } from '../options/trust-flag.js';
import type { ToolProcess } from '../process.js';
import { withAnswer } from '../report/finished-run.js';
import { namedRunFolder, openRun } from '../report/open-run.js';

const judgeFlags = {
  ...trustFlags,
  ...thresholdFlags,
  format: outputFlags.format,
  require: {
    ...requireFlags.require,
    about: 'exit as find does: 3 when the limit is below this size, 4 when nothing can be said',
  },
} as const satisfies Flags;

type JudgeWords = WordsOf<typeof judgeFlags>;

const help = `
Without flags the run is judged with its own limits, which gives its own verdicts. No browser and no media server is needed.
The baseline stays the one that the run measured.

Exit codes with --require (without it 0, or 4 where every trial is void):
${exitCodeLines('find')}

Examples:
  loadline judge runs/2026-11-21T14-03-12-one-to-one-embedded --preset strict --require 20
  loadline judge runs/2026-11-21T14-03-12-one-to-one-embedded --preset twilio
  loadline judge runs/2026-11-21T14-03-12-one-to-one-embedded --threshold "video.loss.mean <= 0.2%"`;

export function addJudge(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('judge')
    .summary('judge a stored run again with other limits')
    .description('Judges every trial of a stored run again, and says which verdicts change and what limit follows.')
    .argument('<run>', 'the folder of a run, its name, a tag or latest');
  addFlags(command, judgeFlags)
    .addHelpText('after', help)
    .action(async (path: string, flags: JudgeWords) => {
      onExitCode(await judgeAgain(path, flags, tool));
    });
}

export async function judgeAgain(path: string, words: JudgeWords, tool: ToolProcess): Promise<number> {
  const asked = readFlags(judgeFlags, words);
  const { format, require } = asked;
  // They are read first, so that a slip is told before a large run is.
  thresholdsOf(asked);
  keepHeapSmall();
  const run = withAnswer(await openRun(await namedRunFolder(path, tool), trustOf(words)));
  assertWhole(run);
  const { plan } = run.manifest;
  const scenario = scenarioOf(plan);
  if (scenario) assertMeasured(asked.threshold, plan, scenario, true);
  const { trials, warnings } = await rejudge(run, thresholdsOf(asked, run.manifest.plan.thresholds));
  for (const warning of [...run.warnings, ...warnings]) tool.stderr.write(`warning: ${warning}\n`);
  const rejudged: Rejudged = {
    runDirectory: run.directory,
    unit: run.manifest.unit ?? { one: 'session', many: 'sessions' },
    trials,
    before: run.result?.limit,
    answer: answerOf(run, trials),
    by: limitsAsked(asked),
  };
  tool.stdout.write(
    format === 'json' ? `${JSON.stringify(rejudgedDocument(rejudged), null, 2)}\n` : rejudgedText(rejudged),
  );
  // Nothing was judged, so a script must not take this for a pass.
  if (trials.every(({ verdict }) => verdict.kind === 'void')) return 4;
  if (require === undefined) return 0;
  const exitCode = nothingHeld(run, trials) ? 3 : exitCodeOfFind(asResult(run, rejudged), require);
  const { text } = requirementOf(exitCode, require, asResult(run, rejudged));
  (format === 'json' ? tool.stderr : tool.stdout).write(`  ${text}\n`);
  return exitCode;
}

function limitsAsked({ preset, threshold, tolerate }: Parameters<typeof thresholdsOf>[0]): string {
  const tolerated = tolerate === undefined ? [] : [`${Number((100 * tolerate).toPrecision(3))} % may notice something`];
  return [...(preset === undefined ? [] : [`preset ${preset}`]), ...threshold, ...tolerated].join('; ');
}

/**
 * Whether no size held, by as many trials as a search wants of its baseline. A stored run has fewer of that: its other
 * trials are of larger sizes.
 */
function nothingHeld({ manifest }: StoredRun, trials: Rejudged['trials']): boolean {
  const unstable = trials.filter(({ verdict }) => verdict.kind === 'unstable').length;
  const isNoneStable = trials.every(({ verdict }) => verdict.kind !== 'stable');
  return isNoneStable && unstable >= baselineFailuresDemanded(manifest.plan.search);
}

/** The new answer as `find` would give it. */
function asResult({ manifest, directory }: StoredRun, { answer, trials }: Rejudged): RunResult {
  const records = trials.map(({ record, verdict }) => ({ ...record, verdict }));
  return runResult({ manifest, records, answer, runDirectory: directory });
}

/** Verdicts on what is left of a run would be wrong. */
function assertWhole({ directory, thinned, absent, warnings }: StoredRun): void {
  if (thinned === undefined && absent.samples.length + absent.evidence.length === 0) return;
  throw new LoadlineError('E_RUN', 'This run cannot be judged again.', {
    where: directory,
    why: thinned ?? warnings.join(' '),
    todo: 'name a run that is whole; the verdicts of this one are in trials.jsonl',
  });
}

/** One trial after the other, so that only one trial's samples are in memory. */
async function rejudge(run: StoredRun, thresholds: Thresholds) {
  const trials: { record: TrialRecord; verdict: Verdict }[] = [];
  const warnings: string[] = [];
  let baseline: Baseline | null = null;
  const firstSize = firstSizeOf(run);
  for (const record of run.records) {
    const evidence = await run.readEvidence(record.index);
    const judgedBy = baselineFor(baseline, firstSize, record.size);
    const unfolded = { manifest: run.manifest, record, evidence: evidence.value, baseline: judgedBy };
    const samples = await foldedSamples(run, unfolded, thresholds);
    warnings.push(...[samples.warning ?? [], evidence.warning ?? []].flat());
    const verdict = rejudgeTrial({ ...unfolded, samples: samples.value }, thresholds);
    trials.push({ record, verdict });
    baseline = baselineAfter(baseline, firstSize, record, verdict);
  }
  return { trials, warnings };
}

/** Folded as they are read, for a trial may be larger than memory; sorted first only where they are out of order. */
async function foldedSamples(run: StoredRun, trial: Omit<StoredTrial, 'samples'>, thresholds: Thresholds) {
  const { index } = trial.record;
  const fold = foldOfTrial(trial, thresholds);
  const take = (samples: readonly Sample[]) => {
    for (const sample of samples) fold.add(sample);
  };
  const warning = await run.visitSamples(index, take, 'ends');
  if (!fold.isInOrder) return run.readSamples(index);
  return warning === undefined ? { value: fold } : { value: fold, warning };
}

/** What the search says of the new verdicts. It may have wanted other sizes than were tried. */
function answerOf(run: StoredRun, trials: Rejudged['trials']): Answer {
  const { manifest } = run;
  const records = trials.map(({ record, verdict }) => ({ ...record, verdict }));
  const step = stepAfter(manifest, records);
  if (step?.kind === 'done') return step.answer;
  const who = asksForOneSize(manifest.command) ? 'run' : 'search';
  const wish = step ? `With these limits the ${who} would go on with ${step.size}.` : '';
  return answerSoFar(manifest.plan.search, firstSizeOf(run), historyOf(records), wish);
}

/** Every run begins with its baseline. */
function firstSizeOf({ records, directory }: StoredRun): number {
  const [first] = records;
  if (first) return first.size;
  throw new LoadlineError('E_RUN', 'This run has no trial that could be judged.', {
    where: directory,
    why: 'it ended before its first trial was stored',
    todo: 'name a run with at least one trial',
  });
}
