import { join } from 'node:path';

/** The files of a run directory. `trials.jsonl` is the truth; the rest is what it rests on. */
export const layout = {
  manifest: 'manifest.json',
  trials: 'trials.jsonl',
  events: 'events.jsonl',
  result: 'result.json',
} as const;

/** Relative to the run directory. */
export function samplesFile(trialIndex: number): string {
  return join('samples', `trial-${String(trialIndex).padStart(3, '0')}.jsonl.gz`);
}

/** Relative to the run directory. */
export function evidenceFile(trialIndex: number): string {
  return join('evidence', `trial-${String(trialIndex).padStart(3, '0')}.jsonl.gz`);
}
