import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { unreadFile } from '../../model/file-refusal.js';
import { wrongFile } from './plan-problem.js';
import { type ReadValues, readMapping } from './read-plan.js';

interface MappingFile<Shape extends z.ZodRawShape> {
  readonly path: string;
  /** "prices", for "The file of prices is wrong." */
  readonly what: string;
  readonly schema: z.ZodObject<Shape>;
  /** What to say of a file that is no list of keys. */
  readonly noMapping: string;
  readonly todo: string;
}

/** Reads a file of keys that a flag names. Throws E_PLAN with every problem, each with line and column. */
export async function readMappingFile<Shape extends z.ZodRawShape>(file: MappingFile<Shape>) {
  const { path, what, schema, noMapping, todo } = file;
  const read = readMapping(await textOfFile(path, what), schema, Object.keys(schema.shape), noMapping);
  if (read.ok) return read.values as z.output<z.ZodObject<Shape>>;
  throw new LoadlineError('E_PLAN', `The file of ${what} is wrong.`, {
    where: path,
    why: read.problems.map(({ line, column, text }) => `${line}:${column}  ${text}`).join('\n'),
    todo,
  });
}

/** Throws E_PLAN where a file that a flag names cannot be read. */
export async function textOfFile(path: string, what: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new LoadlineError('E_PLAN', `The file of ${what} cannot be read.`, {
      where: path,
      ...unreadFile(error, 'name a file that is there'),
      cause: error,
    });
  });
}

const largestFile = 1_000_000;

export function todoOf(what: string, page: string): string {
  return `correct these lines; ${page} says what may stand in a ${what} file`;
}

/**
 * Reads a file that a command is about: "study", with the page that describes it. Throws E_PLAN with every problem,
 * each with line and column.
 */
export async function readFileOf<Shape extends z.ZodRawShape>(
  path: string,
  { what, page, schema, noMapping }: Omit<MappingFile<Shape>, 'path' | 'todo'> & { readonly page: string },
): Promise<{ readonly values: z.output<z.ZodObject<Shape>>; readonly placeOf: ReadValues['placeOf'] }> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new LoadlineError('E_PLAN', `The ${what} file ${path} cannot be read.`, {
      where: path,
      ...unreadFile(error, `name a YAML file that exists; ${page} has one to begin with`),
      cause: error,
    });
  });
  const tooLong = `it has ${text.length} characters; ${largestFile} are the most`;
  if (text.length > largestFile) throw wrongFile(path, todoOf(what, page), [{ line: 1, column: 1, text: tooLong }]);
  const read = readMapping(text, schema, Object.keys(schema.shape), noMapping);
  if (!read.ok) throw wrongFile(path, todoOf(what, page), read.problems);
  return { values: read.values as z.output<z.ZodObject<Shape>>, placeOf: read.placeOf };
}

/** A text that is not empty. */
export const wordsSaying = (error: string) => z.string({ error }).min(1, { error });

/** Bytes, written with their unit. */
export function bytesSuchAs(example: string) {
  const error = `must be a size with its unit: ${example}`;
  return z
    .string({ error })
    .regex(/^\d+(\.\d+)?(MB|GB)$/, { error })
    .transform((text) => Number.parseFloat(text) * (text.endsWith('GB') ? 1e9 : 1e6));
}
