import { join } from 'node:path';
import { ZodError, z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { plainCopy } from '../../model/plain-text.js';
import type { Manifest, RunResult } from '../../model/run.js';
import { layout } from './layout.js';
import { type ManifestSeal, SealChain, sealFacts, type TrialSeal, unsealed } from './seal.js';
import { changedFile, smallText, undefinedWhenUnread } from './small-file.js';
import { readError } from './store-error.js';
import { formatOf, parseManifest } from './stored-shapes.js';

interface SealedManifest {
  readonly manifest: Manifest;
  /** Absent for a run of before runs were sealed. */
  readonly seal?: ManifestSeal;
}

interface SealedTrials {
  readonly seals: readonly (TrialSeal | undefined)[];
  readonly chain: Pick<SealChain, 'head' | 'trials'>;
}

const currentFormat = 2;

/** Throws E_RUN for a folder that holds no run, a format other than today's, and a manifest that was changed. */
export async function readManifest(directory: string): Promise<SealedManifest> {
  const path = join(directory, layout.manifest);
  const text = await smallText(path).catch((error: unknown) => {
    if (error instanceof LoadlineError) throw error;
    const todo = 'name the folder, the name or a tag of a run; loadline runs lists them';
    throw readError(error, path, `${directory} is not the folder of a run.`, todo);
  });
  const value = checked(layout.manifest, () => JSON.parse(text) as unknown);
  const format = formatOf(value);
  if (format !== undefined && format !== currentFormat) {
    const [made, todo] =
      format > currentFormat
        ? ['a newer Loadline', 'read it with the version that made it, or a later one']
        : ['a Loadline from before the first release', 'run again, or read it with the version that made it'];
    throw new LoadlineError('E_RUN', `This run was stored by ${made}, in format ${format}.`, {
      where: path,
      why: `this Loadline reads format ${currentFormat}`,
      todo,
    });
  }
  const { document, seal } = checked(layout.manifest, () => unsealed(value, sealFacts.manifest, layout.manifest));
  const manifest = checked(layout.manifest, () => parseManifest(plainCopy(document)));
  return seal ? { manifest, seal } : { manifest };
}

/** A document of the folder and its seal; undefined for one that cannot be read. Throws E_RUN for what is no JSON. */
export async function sealedDocument<Facts extends object>(directory: string, name: string, facts: z.ZodType<Facts>) {
  const text = await smallText(join(directory, name)).catch(undefinedWhenUnread);
  if (text === undefined) return undefined;
  return checked(name, () => unsealed(JSON.parse(text), facts, name));
}

/** Holds every line of trials.jsonl to its seal, one after the other. */
export class TrialSeals implements SealedTrials {
  readonly chain = new SealChain();
  readonly seals: (TrialSeal | undefined)[] = [];

  constructor(private readonly manifest: ManifestSeal | undefined) {}

  /** Throws E_RUN. */
  check(line: unknown): void {
    const { manifest } = this;
    const index = this.seals.length;
    const seal = this.chain.read(line, layout.trials);
    const where = `${layout.trials}:${index + 1}`;
    if (seal && !manifest) throw changedFile(layout.manifest, `${where} is sealed, and it is not`);
    if (seal && manifest) assertKnown(seal.manifest, manifest, where);
    if (!seal && manifest && index >= manifest.unsealedTrials) throw changedFile(where, 'it has lost its seal');
    this.seals.push(seal);
  }
}

/** The answer that a run came to; undefined when it did not come to its end. Throws E_RUN. */
export async function readResult(
  directory: string,
  manifest: ManifestSeal | undefined,
  { chain }: SealedTrials,
): Promise<RunResult | undefined> {
  const read = await sealedDocument(directory, layout.result, sealFacts.result);
  if (!read) return undefined;
  const { document, seal } = read;
  if (seal && !manifest) throw changedFile(layout.manifest, `${layout.result} is sealed, and it is not`);
  if (!seal && manifest) throw changedFile(layout.result, 'it has lost its seal');
  if (seal && manifest) assertKnown(seal.manifest, manifest, layout.result);
  if (seal && (seal.trials !== chain.trials || seal.chain !== chain.head)) {
    const why = `${layout.result} is sealed with other trials (${seal.trials}) than stand there (${chain.trials})`;
    throw changedFile(`${layout.trials} or ${layout.result}`, why);
  }
  const shape = z.looseObject({
    scenario: z.string(),
    outcome: z.string(),
    runDirectory: z.string(),
    limit: z.looseObject({
      stable: z.number().nullable(),
      unstable: z.number().nullable(),
      flaky: z.array(z.number()),
    }),
    trials: z.array(z.looseObject({ size: z.number(), verdict: z.string() })),
  });
  return checked(layout.result, () => {
    shape.parse(document);
    return plainCopy(document) as unknown as RunResult;
  });
}

/** Throws E_RUN for something that was sealed with the manifest of another run. */
export function assertKnown(digest: string, { digest: now, earlier }: ManifestSeal, where: string): void {
  if (digest === now || earlier.includes(digest)) return;
  throw changedFile(where, `it was sealed with another ${layout.manifest} than the one beside it`);
}

/** A sentence for a run, or the beginning of one, that has no seals; undefined for a run that has them throughout. */
export function unsealedSentence(seals: SealedTrials['seals'], manifest: ManifestSeal | undefined): string | undefined {
  if (!manifest)
    return 'This run is not sealed: it was stored by an earlier Loadline, and later changes would not show.';
  const bare = seals.filter((seal) => seal === undefined).length;
  if (bare === 0) return undefined;
  return `The first ${bare === 1 ? 'trial was' : `${bare} trials were`} stored before the run was sealed: changes from before that would not show.`;
}

/** Runs a reading, and names the file in what it throws. */
export function checked<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LoadlineError) throw error;
    const issue = error instanceof ZodError ? error.issues[0] : undefined;
    const words = error instanceof Error ? error.message : String(error);
    throw damaged(where, issue ? `${issue.path.join('.')}: ${issue.message}` : words, error);
  }
}

export function damaged(where: string, why: string, cause?: unknown): LoadlineError {
  const todo = 'the file was changed after it was written; restore it, or run again';
  return new LoadlineError('E_RUN', `${where} of the stored run cannot be understood.`, { where, why, todo, cause });
}
