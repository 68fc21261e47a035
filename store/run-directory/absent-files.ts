import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrialRecord } from '../../model/trial.js';
import { artifactsFile } from './artifact-files.js';
import { evidenceFile, samplesFile } from './layout.js';
import type { TrialSeal } from './seal.js';

/** Trials whose files are not there any more, by number. */
export interface AbsentFiles {
  readonly samples: readonly number[];
  readonly evidence: readonly number[];
  readonly artifacts: readonly number[];
}

/** What every record rests on and is not in the folder. */
export async function absentFiles(
  directory: string,
  records: readonly TrialRecord[],
  seals: readonly (TrialSeal | undefined)[],
): Promise<AbsentFiles> {
  const without = async (file: (index: number) => string, of = records) => {
    const there = await Promise.all(of.map(({ index }) => isThere(join(directory, file(index)))));
    return of.filter((_, nth) => !there[nth]).map(({ index }) => index);
  };
  const withArtifacts = records.filter((_, nth) => seals[nth]?.artifacts !== undefined);
  return {
    samples: await without(samplesFile),
    evidence: await without(evidenceFile),
    artifacts: await without(artifactsFile, withArtifacts),
  };
}

/** A sentence for each kind of file that is missing, with the figures that are absent for it. */
export function absentSentences(absent: AbsentFiles, isThinned: boolean): string[] {
  const { samples, evidence, artifacts } = absent;
  const judging = 'and the run cannot be judged again';
  return [
    isThinned || samples.length === 0
      ? []
      : `The samples of ${trialsText(samples)} are not there: curves by second and --format csv lack them, ${judging}.`,
    evidence.length === 0
      ? []
      : `The evidence of ${trialsText(evidence)} is not there: curves of the machines lack it, ${judging}.`,
    artifacts.length === 0 ? [] : `What was kept of the probes of ${trialsText(artifacts)} is not there.`,
  ].flat();
}

/** "trial 3", "trials 1 to 12", "trials 1, 4 and 7". */
function trialsText(trials: readonly number[]): string {
  const [first = 0] = trials;
  const last = trials.at(-1) ?? first;
  if (trials.length === 1) return `trial ${first}`;
  if (last - first === trials.length - 1) return `trials ${first} to ${last}`;
  return `trials ${trials.slice(0, -1).join(', ')} and ${last}`;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
