import type { TrialRecord } from '../../model/trial.js';
import type { StoredRun } from '../read-run.js';
import type { LineSender } from './line-sender.js';
import { type DataPoint, linesOf } from './point.js';
import { answerPoints, runStartPoint, runTags, trialTags } from './run-points.js';
import { evidencePoints, samplePoints, type Tags } from './sample-points.js';
import { eventPoint, trialPoints } from './trial-points.js';

/**
 * Gives a stored run to the sender: the same points, tags and times as were sent while it ran, so that what is there
 * already stays as it is. One trial at a time is in memory. Ends early when InfluxDB refuses. Resolves with warnings.
 */
export async function exportRun(stored: StoredRun, run: string, sender: LineSender): Promise<readonly string[]> {
  const { manifest, records, result } = stored;
  const tags = runTags(run, manifest);
  const warnings: string[] = [];
  await give(sender, [runStartPoint(tags, manifest)]);
  for (const record of records) {
    warnings.push(...(await exportTrial(stored, tags, record, sender)));
    if (sender.account.lost > 0) return warnings;
  }
  const endedAtMs = records.at(-1)?.endedAtMs ?? Date.parse(manifest.startedAt);
  if (result) await give(sender, answerPoints(tags, result, manifest.startedAt, endedAtMs));
  return warnings;
}

async function exportTrial(
  stored: StoredRun,
  run: Tags,
  record: TrialRecord,
  sender: LineSender,
): Promise<readonly string[]> {
  const tags = trialTags(run, record.index);
  const people = new Map(record.probes.map(({ participant }) => [participant.id, participant]));
  const samples = await stored.readSamples(record.index);
  const evidence = await stored.readEvidence(record.index);
  for (const sample of samples.value)
    await give(
      sender,
      samplePoints(tags, (probe) => people.get(probe), sample),
    );
  await give(sender, evidencePoints(tags, evidence.value));
  await give(
    sender,
    record.events.map((event, nth) => eventPoint(tags, record.size, event, nth)),
  );
  await give(sender, trialPoints(tags, record));
  return [samples.warning ?? [], evidence.warning ?? []].flat();
}

async function give(sender: LineSender, points: readonly DataPoint[]): Promise<void> {
  sender.add(linesOf(points));
  await sender.room();
}
