/**
 * Whether a healthy run is ever blamed: each trial of a stored run is cut into windows, and each window is judged as a
 * trial of its own, against the rates of the whole trial as its baseline. Prints how many windows were stable, and
 * every reason named in the others. Usage: node dist/bench/windows.js RUN [SECONDS]
 */
import { argv } from 'node:process';
import { foldOfTrial, rejudgeTrial } from '../analysis/judge/rejudge.js';
import { baselineOfStreams } from '../analysis/measure/baseline.js';
import type { TrialRecord } from '../model/trial.js';
import type { Verdict } from '../model/verdict.js';
import { readRun, type StoredRun } from '../store/run-directory/read-run.js';
import { numberAt } from './stage/number-at.js';

/** The verdict on each whole window of a trial, in order; none where nothing was measured. */
async function verdictsOfWindows(run: StoredRun, record: TrialRecord, windowMs: number): Promise<readonly Verdict[]> {
  const { screened: _, ...whole } = record;
  const { window, streams, probes } = whole;
  if (!window) return [];
  const { plan } = run.manifest;
  const { thresholds } = plan;
  const manifest = { ...run.manifest, plan: { ...plan, timing: { ...plan.timing, measureMs: windowMs } } };
  const participants = probes.map(({ participant }) => participant);
  const baseline = baselineOfStreams(streams, participants);
  const evidence = (await run.readEvidence(record.index)).value;
  const count = Math.floor((window.endMs - window.startMs) / windowMs);
  const trials = Array.from({ length: count }, (_, nth) => {
    const startMs = window.startMs + nth * windowMs;
    const trial = {
      manifest,
      record: { ...whole, window: { startMs, endMs: startMs + windowMs } },
      evidence,
      baseline,
    };
    return { ...trial, samples: foldOfTrial(trial, thresholds) };
  });
  await run.visitSamples(
    record.index,
    (taken) => {
      for (const sample of taken) for (const { samples } of trials) samples.add(sample);
    },
    'ends',
  );
  return trials.map((trial) => rejudgeTrial(trial, thresholds));
}

const [, , folder = 'runs'] = argv;
const seconds = numberAt(3, 'SECONDS', 10);
const run = await readRun(folder);
for (const record of run.records) {
  const verdicts = await verdictsOfWindows(run, record, seconds * 1000);
  const of = (kind: Verdict['kind']) => `${verdicts.filter((verdict) => verdict.kind === kind).length} ${kind}`;
  console.log(
    `Trial ${record.index}, ${record.probesUp} probes: ${verdicts.length} windows of ${seconds} s, ${of('stable')}, ${of('unstable')}, ${of('void')}`,
  );
  for (const [nth, { kind, reasons }] of verdicts.entries())
    for (const { code, probe = '', text } of kind === 'stable' ? [] : reasons)
      console.log(`  window ${nth + 1} ${kind}: ${code} ${probe} ${text}`);
}
