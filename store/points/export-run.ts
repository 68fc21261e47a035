import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';
import type { StoredRun } from '../run-directory/read-run.js';
import type { DataPoint, Tags } from './data-point.js';
import type { PointSink } from './point-sink.js';
import { answerPoints, runStartPoint, runTags, trialTags } from './run-points.js';
import { evidencePoints, samplePoints } from './sample-points.js';
import { eventPoint, trialPoints } from './trial-points.js';

/**
 * Gives a stored run to a sink: the same points, tags and times as were sent while it ran, so that what is there
 * already stays as it is. One trial at a time is in memory. Ends early when points are not taken. Resolves with
 * warnings.
 */
export async function exportRun(stored: StoredRun, run: string, to: PointSink): Promise<readonly string[]> {
  const { manifest, records, result } = stored;
  const tags = runTags(run, manifest);
  const warnings: string[] = [];
  await give(to, [runStartPoint(tags, manifest)]);
  for (const record of records) {
    warnings.push(...(await exportTrial(stored, tags, record, to)));
    if (to.account.lost > 0) return [...warnings, ...notSent(record.index, records.length)];
  }
  const endedAtMs = records.at(-1)?.endedAtMs ?? Date.parse(manifest.startedAt);
  if (result) await give(to, answerPoints(tags, result, manifest.startedAt, endedAtMs));
  return warnings;
}

/** The counts of an export that ended early are of the trials before, and what it never gave is in none of them. */
function notSent(last: number, all: number): readonly string[] {
  if (last >= all) return [];
  const trials = last + 1 === all ? `Trial ${all} was` : `Trials ${last + 1} to ${all} were`;
  return [`${trials} not sent, because points before were not taken; the counts are without them.`];
}

async function exportTrial(
  stored: StoredRun,
  run: Tags,
  record: TrialRecord,
  to: PointSink,
): Promise<readonly string[]> {
  const tags = trialTags(run, record.index, stored.manifest);
  const people = new Map(record.probes.map(({ participant }) => [participant.id, participant]));
  // Read once before: of a file that was changed nothing is sent.
  const torn = await stored.visitSamples(record.index, () => undefined, 'ends');
  const evidence = await stored.readEvidence(record.index);
  const giveSamples = async (samples: readonly Sample[]) => {
    for (const sample of samples)
      await give(
        to,
        samplePoints(tags, (probe) => people.get(probe), sample),
      );
  };
  await stored.visitSamples(record.index, giveSamples, 'ends');
  await give(to, evidencePoints(tags, evidence.value));
  await give(
    to,
    record.events.map((event, nth) => eventPoint(tags, record.size, event, nth)),
  );
  await give(to, trialPoints(tags, record));
  return [torn ?? [], evidence.warning ?? []].flat();
}

async function give(to: PointSink, points: readonly DataPoint[]): Promise<void> {
  to.add(points);
  await to.room();
}
