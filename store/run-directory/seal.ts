import { createHash } from 'node:crypto';
import { setImmediate as othersGoOn } from 'node:timers/promises';
import { z } from 'zod';
import { changedFile } from './small-file.js';

/**
 * Seals show that a stored run is as it was written. They are for accidents and careless editing: whoever makes every
 * digest anew is not found out, for no secret is in them.
 */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const manifestFacts = z.object({
  /** Digests of the manifests that this one has replaced: a resumed run may have got another budget. */
  earlier: z.array(digest),
  /** Trials that were stored before the run was sealed. */
  unsealedTrials: z.number().int().nonnegative(),
});
/** Of the answer: the chain of all trials that it rests on. */
const resultFacts = z.object({ manifest: digest, trials: z.number().int().nonnegative(), chain: digest });
/** Of the mark of a run that was made smaller. */
const markFacts = z.object({ manifest: digest });
const trialFacts = z.object({
  manifest: digest,
  samples: digest,
  evidence: digest,
  /** What was kept of failed probes, up to so many bytes; absent where nothing was. */
  artifacts: z.object({ bytes: z.number().int().positive(), digest }).optional(),
});

export type ManifestSeal = z.infer<typeof manifestFacts> & { readonly digest: string };
export type TrialSeal = z.infer<typeof trialFacts>;
export const sealFacts = { manifest: manifestFacts, result: resultFacts, mark: markFacts } as const;

/** SHA-256 (FIPS 180-4), in hexadecimal. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A document with a seal over all that it says: the numbers and words count, not how the file is laid out. */
export function sealed<T extends object>(
  document: T,
  facts: object,
): T & { readonly seal: { readonly digest: string } } {
  const seal = { ...facts, digest: digestOf(JSON.stringify({ ...document, seal: facts })) };
  return { ...document, seal };
}

interface Unsealed<Facts> {
  readonly document: object;
  /** Absent where the document was never sealed. */
  readonly seal?: Facts & { readonly digest: string };
}

/** Takes the seal off a document that was read. Throws E_RUN where it does not fit. */
export function unsealed<Facts extends object>(value: unknown, shape: z.ZodType<Facts>, file: string): Unsealed<Facts> {
  if (!isObject(value) || !('seal' in value)) return { document: isObject(value) ? value : {} };
  const { seal, ...document } = value;
  const { digest: told, ...rest } = isObject(seal) ? seal : { digest: undefined };
  const facts = shape.safeParse(rest);
  if (!facts.success || told !== digestOf(JSON.stringify({ ...document, seal: rest }))) {
    throw changedFile(file, 'its seal does not fit what it says');
  }
  return { document, seal: { ...facts.data, digest: String(told) } };
}

const begin = digestOf('a run of no trials');
/** A line is made and written in pieces of about so many characters; most are one. */
const pieceLength = 1 << 17;

/** The trials of a run, each sealed with all before: what is left out, put in or moved breaks every later seal. */
export class SealChain {
  private last = begin;
  private length = 0;

  /** After the last trial so far. */
  get head(): string {
    return this.last;
  }

  get trials(): number {
    return this.length;
  }

  /**
   * The line of a trial with its seal, in pieces, each made when the one before it was taken, so that no line is ever
   * in memory as a whole; others go on between them. It counts once it was taken to its end, and the next line is asked
   * for after that.
   */
  async *sealed(record: object, seal: TrialSeal): AsyncGenerator<string, void> {
    const hash = createHash('sha256').update(`${this.last}\n`);
    let last = '';
    for (const piece of jsonPieces({ ...record, seal })) {
      if (last.length >= pieceLength) {
        yield last;
        last = '';
        await othersGoOn();
      }
      hash.update(piece);
      last += piece;
    }
    this.last = hash.digest('hex');
    this.length += 1;
    // In place of the brace that ends it.
    yield `${last.slice(0, -1)},"chain":"${this.last}"}`;
  }

  /** Takes a line that was read. Its seal; undefined for a line that has none. Throws E_RUN where it does not fit. */
  read(value: unknown, file: string): TrialSeal | undefined {
    if (!isObject(value) || !('chain' in value)) {
      this.add(value);
      return undefined;
    }
    const { chain, ...content } = value;
    this.add(content);
    const seal = trialFacts.safeParse('seal' in content ? content.seal : undefined);
    if (chain === this.last && seal.success) return seal.data;
    throw changedFile(`${file}:${this.length}`, 'its seal does not fit this trial and those before it');
  }

  private add(content: unknown): void {
    this.last = digestOf(`${this.last}\n${JSON.stringify(content)}`);
    this.length += 1;
  }
}

/** The line of a trial as it was before it was sealed. */
export function withoutSeal(line: unknown): unknown {
  if (!isObject(line)) return line;
  const { seal: _, chain: __, ...record } = line;
  return record;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Elements of a list in one piece. */
const elementsInPiece = 250;

/**
 * The JSON of a document of plain data, piece by piece: together they are what JSON.stringify gives. The record of ten
 * thousand probes is tens of megabytes in a few long lists, and nothing else could go on while it is made in one go.
 */
export function* jsonPieces(document: object): Generator<string, void> {
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (Array.isArray(value) && value.length > elementsInPiece) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield before === '{' ? '{}' : '}';
}

function* listPieces(list: readonly unknown[]): Generator<string, void> {
  for (let from = 0; from < list.length; from += elementsInPiece) {
    const part = JSON.stringify(list.slice(from, from + elementsInPiece));
    yield `${from === 0 ? '[' : ','}${part.slice(1, -1)}`;
  }
  yield ']';
}
