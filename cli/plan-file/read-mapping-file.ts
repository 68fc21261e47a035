import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { readMapping } from './read-plan.js';

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
      why: messageOf(error),
      todo: 'name a file that is there',
      cause: error,
    });
  });
}
