import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CompressedLines } from './compressed-lines.js';
import { writeWhole } from './durable-lines.js';
import { visitCompressedLines } from './json-lines.js';
import { layout } from './layout.js';
import { assertKnown, checked, sealedDocument } from './read-sealed.js';
import { type ManifestSeal, sealed, sealFacts } from './seal.js';
import { changedFile } from './small-file.js';

/** How much of a run is left. Manifest, records and result are never touched. */
export type Kept = 'all' | 'thinned' | 'records';

/** One sample of each probe in so many seconds stays in a thinned run: for pictures, never for judging. */
const keptOf = 10;
const markName = 'thinned.json';
const whole = /^trial-\d+\.jsonl\.gz$/;
const markShape = z.looseObject({ kept: z.enum(['thinned', 'records']), atMs: z.number() });

/**
 * Makes an old run smaller. `thinned` keeps every tenth sample, under names from which no verdict is ever made again;
 * `records` removes samples, evidence and the log of events. The mark is written first: a run that was cut off in
 * between is known as thinned. The mark is sealed with the run's manifest. Safe to be repeated.
 */
export async function thinRun(directory: string, kept: Exclude<Kept, 'all'>, atMs: number): Promise<void> {
  if (kept === 'thinned' && (await keptOfRun(directory)) === 'records') return;
  // Absent for a run that is not sealed, and for one that nobody could read anyway.
  const seal = (await sealedDocument(directory, layout.manifest, sealFacts.manifest))?.seal;
  const mark = { kept, atMs };
  await writeWhole(join(directory, markName), seal ? sealed(mark, { manifest: seal.digest }) : mark);
  if (kept === 'thinned') {
    for (const name of await namesIn(join(directory, 'samples'))) {
      if (whole.test(name)) await thinSamples(join(directory, 'samples'), name);
    }
    return;
  }
  for (const name of ['samples', 'evidence', layout.events]) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** What is left of a run. */
export async function keptOfRun(directory: string): Promise<Kept> {
  return (await markOf(directory))?.kept ?? 'all';
}

/** A sentence for whoever reads a thinned run; undefined for a whole one. Throws E_RUN for a mark that was changed. */
export async function thinnedSentence(directory: string, manifest?: ManifestSeal): Promise<string | undefined> {
  const mark = await markOf(directory, manifest);
  if (!mark) return undefined;
  const day = new Date(mark.atMs).toISOString().slice(0, 10);
  return mark.kept === 'thinned'
    ? `Its samples were thinned on ${day}: one in ${keptOf} is left, from which it cannot be judged again.`
    : `Its samples were removed on ${day}; its records are whole.`;
}

/** Bytes of everything in a folder, as the files say it; 0 for one that is not there. */
export async function bytesIn(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return 0;
  if (!found.isDirectory()) return found.size;
  const sizes = await Promise.all((await namesIn(path)).map((name) => bytesIn(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function markOf(directory: string, manifest?: ManifestSeal): Promise<z.infer<typeof markShape> | undefined> {
  const read = await sealedDocument(directory, markName, sealFacts.mark);
  if (!read) return undefined;
  const { document, seal } = read;
  if (manifest && seal) assertKnown(seal.manifest, manifest, markName);
  if (manifest && !seal) throw changedFile(markName, 'it has no seal, and the run has');
  return checked(markName, () => markShape.parse(document));
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function thinSamples(folder: string, name: string): Promise<void> {
  const seen = new Map<string, number>();
  const thin = join(folder, name.replace('.jsonl.gz', '.thin.jsonl.gz'));
  const lines = new CompressedLines(`${thin}.new`);
  await visitCompressedLines(join(folder, name), (found) => {
    const few = found.filter((line) => {
      const probe = probeOf(line);
      const nth = seen.get(probe) ?? 0;
      seen.set(probe, nth + 1);
      return nth % keptOf === 0;
    });
    lines.write(few, (line) => line);
  });
  await lines.close();
  await rename(`${thin}.new`, thin);
  await rm(join(folder, name));
}

/** A line that a kill or a disk has spoiled is of no probe. */
function probeOf(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'probe' in value ? String(value.probe) : '';
  } catch {
    return '';
  }
}
