import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { makeFolders } from '../../host/make-folders.js';
import { evidenceFile, layout, samplesFile } from '../../store/run-directory/layout.js';
import { storeError } from '../../store/run-directory/store-error.js';
import { usageError } from '../options/usage-error.js';

/** A real run as it is shipped: its files as text. The last trials have no samples. */
const packedShape = z.object({
  manifest: z.string(),
  trials: z.array(z.string()).nonempty(),
  samples: z.array(z.string()).nonempty(),
  evidence: z.array(z.string()).nonempty(),
});

type PackedRun = z.infer<typeof packedShape>;

/** Lies beside the build. */
export async function readPacked(): Promise<PackedRun> {
  const path = fileURLToPath(new URL('demo-run.br', import.meta.url));
  return packedShape.parse(JSON.parse(brotliDecompressSync(await readFile(path)).toString()));
}

/**
 * Writes the trials that have samples, twice: a run that was cut off after them, and one to go on with. Resolves with
 * the lines of the other trials. Replaces what an earlier demo left, and nothing else. Throws E_USAGE, E_OUT,
 * E_DISK_FULL.
 */
export async function unpackRun(packed: PackedRun, directory: string) {
  const [cutOff, goneOn] = [join(directory, 'cut-off'), join(directory, 'gone-on')];
  try {
    await clearFolder(directory, join(cutOff, layout.manifest), packed.manifest);
    for (const one of [cutOff, goneOn]) await writeRun(packed, one);
  } catch (error) {
    throw storeError(error, directory, 'the folder of the demo cannot be made');
  }
  return { cutOff, goneOn, rest: packed.trials.slice(packed.samples.length) };
}

async function writeRun({ manifest, trials, samples, evidence }: PackedRun, directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  for (const folder of ['samples', 'evidence']) await mkdir(join(directory, folder), { mode: 0o700 });
  const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content, { mode: 0o600 });
  await write(layout.manifest, manifest);
  await write(layout.trials, trials.slice(0, samples.length).map(asLine).join(''));
  for (const [nth, text] of samples.entries()) await write(samplesFile(nth + 1), gzipSync(text));
  for (const [nth, text] of evidence.entries()) await write(evidenceFile(nth + 1), gzipSync(text));
}

export function appendTrial(directory: string, line: string): Promise<void> {
  return appendFile(join(directory, layout.trials), asLine(line));
}

const asLine = (text: string) => `${text}\n`;

async function clearFolder(directory: string, file: string, manifest: string): Promise<void> {
  const isNew = await makeFolders(directory, { mode: 0o700 });
  if (isNew) return;
  const there = await readFile(file, 'utf8').catch(() => undefined);
  if (there !== manifest) {
    const todo = 'name another folder with --out, or remove this one';
    throw usageError(`${directory} is there, and it is not of an earlier demo.`, ['--out'], todo);
  }
  await rm(directory, { recursive: true });
  await mkdir(directory, { mode: 0o700 });
}
