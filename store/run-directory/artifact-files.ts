import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { plainJson } from '../../model/plain-text.js';
import { Kept } from './run-bounds.js';
import { digestOf, type TrialSeal } from './seal.js';
import { changedFile, smallFile, undefinedWhenUnread } from './small-file.js';

/** Relative to the run directory; there only for trials in which a probe failed, or compared pictures. */
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
      .then(() => mkdir(dirname(path), { mode: 0o700 }).catch(() => undefined))
      .then(() => appendFile(path, `${JSON.stringify(artifacts)}\n`, { mode: 0o600 }))
      .catch(() => undefined);
  }

  /** Resolves when everything was written or left out. */
  settled(): Promise<void> {
    return this.last;
  }
}

/** The few failures of a trial that are kept have some hundred kilobytes each, with a picture. */
const mostRead = 32 << 20;
/** A trial that was resumed has those of before, too. */
const mostLines = 1000;

type ArtifactsSeal = NonNullable<TrialSeal['artifacts']>;

/** What the seal of a trial says of them; undefined where nothing was kept. */
export async function sealOfArtifacts(directory: string, trialIndex: number): Promise<ArtifactsSeal | undefined> {
  const content = await contentOf(directory, trialIndex);
  return content.length === 0 ? undefined : { bytes: content.length, digest: digestOf(content) };
}

/** What was kept in a trial; whole lines alone, and what came after the trial was sealed is left out. Throws E_RUN. */
export async function readArtifacts(
  directory: string,
  trialIndex: number,
  seal?: TrialSeal,
): Promise<readonly ProbeArtifacts[]> {
  const content = await contentOf(directory, trialIndex);
  const kept = seal ? content.subarray(0, seal.artifacts?.bytes ?? 0) : content;
  if (content.length > 0 && seal?.artifacts && digestOf(kept) !== seal.artifacts.digest) {
    throw changedFile(artifactsFile(trialIndex), 'its seal in trials.jsonl does not fit what it holds');
  }
  const account = new Kept(artifactsFile(trialIndex), mostRead);
  return kept
    .toString('utf8')
    .split('\n', mostLines)
    .flatMap((line) => parsed(account.add(line)) ?? []);
}

async function contentOf(directory: string, trialIndex: number): Promise<Buffer> {
  const content = await smallFile(join(directory, artifactsFile(trialIndex)), mostRead).catch(undefinedWhenUnread);
  return content ?? Buffer.alloc(0);
}

function parsed(line: string): ProbeArtifacts | undefined {
  try {
    const value = JSON.parse(plainJson(line)) as Partial<ProbeArtifacts> | null;
    return typeof value?.probe === 'string' && Array.isArray(value.texts) ? (value as ProbeArtifacts) : undefined;
  } catch {
    return undefined;
  }
}
