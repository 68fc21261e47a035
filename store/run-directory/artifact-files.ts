import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProbeArtifacts } from '../../model/artifacts.js';

/** Relative to the run directory; there only for trials in which a probe failed. */
export function artifactsFile(trialIndex: number): string {
  return join('artifacts', `trial-${String(trialIndex).padStart(3, '0')}.jsonl`);
}

/** Writes what was kept of failed probes as it comes. A help, not the truth: what cannot be written is left out. */
export class ArtifactFiles {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly directory: string) {}

  write(trialIndex: number, artifacts: ProbeArtifacts): void {
    const path = join(this.directory, artifactsFile(trialIndex));
    this.last = this.last
      // Not `recursive`, which never returns in /proc; the run directory itself is there.
      .then(() => mkdir(dirname(path)).catch(() => undefined))
      .then(() => appendFile(path, `${JSON.stringify(artifacts)}\n`))
      .catch(() => undefined);
  }

  /** Resolves when everything was written or left out. */
  settled(): Promise<void> {
    return this.last;
  }
}

/** What was kept in a trial; whole lines alone. */
export async function readArtifacts(directory: string, trialIndex: number): Promise<readonly ProbeArtifacts[]> {
  const text = await readFile(join(directory, artifactsFile(trialIndex)), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => parsed(line) ?? []);
}

function parsed(line: string): ProbeArtifacts | undefined {
  try {
    const value = JSON.parse(line) as Partial<ProbeArtifacts> | null;
    return typeof value?.probe === 'string' && Array.isArray(value.texts) ? (value as ProbeArtifacts) : undefined;
  } catch {
    return undefined;
  }
}
