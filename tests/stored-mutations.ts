import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { randomFrom } from './random.js';

/** What was done to a stored run, and the way back. */
interface Mutation {
  readonly what: string;
  undo(): Promise<void>;
}

/** Edits a number, cuts off, deletes or swaps one file of a stored run, by chance. `other` is a run to swap with. */
export async function mutationOf(run: string, other: string, seed: number): Promise<Mutation> {
  const chance = randomFrom(seed);
  const files = await filesOf(run);
  const one = <T>(of: readonly T[]) => of[Math.floor(chance() * of.length)] as T;
  const file = chance() < 0.5 ? one(files.filter((name) => !name.includes('/'))) : one(files);
  const path = join(run, file);
  const content = await readFile(path);
  const undo = () => writeFile(path, content);
  const kind = one(['number', 'number', 'number', 'byte', 'cut', 'delete', 'swap', 'foreign'] as const);
  switch (kind) {
    case 'number':
      await writeFile(path, withOtherNumber(content, file.endsWith('.gz'), chance));
      break;
    case 'byte': {
      const changed = Buffer.from(content);
      const at = Math.floor(chance() * changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
      await writeFile(path, changed);
      break;
    }
    case 'cut':
      await writeFile(path, content.subarray(0, cutAt(content, chance)));
      break;
    case 'delete':
      await rm(path);
      break;
    case 'swap': {
      const second = join(run, one(files.filter((name) => name.split('.').at(-1) === file.split('.').at(-1))));
      const there = await readFile(second);
      await writeFile(path, there);
      await writeFile(second, content);
      return {
        what: `${file} swapped with ${second}`,
        undo: async () => {
          await writeFile(second, there);
          await undo();
        },
      };
    }
    case 'foreign':
      await writeFile(path, await readFile(join(other, file)).catch(() => ''));
  }
  return { what: `${kind} in ${file}`, undo };
}

/** Anywhere, or at the end of a line, as a kill or an editor leaves it. */
function cutAt(content: Buffer, chance: () => number): number {
  const at = Math.floor(chance() * content.length);
  return chance() < 0.5 ? at : content.lastIndexOf('\n', at) + 1;
}

function withOtherNumber(content: Buffer, isCompressed: boolean, chance: () => number): Buffer {
  const text = (isCompressed ? gunzipSync(content) : content).toString('utf8');
  const numbers = [...text.matchAll(/(?<=[:,[ ])-?\d+(\.\d+)?(?=[,}\]\n])/g)];
  const found = numbers[Math.floor(chance() * numbers.length)];
  if (!found) return content;
  const value = Number(found[0]) * 2 + 1;
  const changed = `${text.slice(0, found.index)}${value}${text.slice(found.index + found[0].length)}`;
  return isCompressed ? gzipSync(changed) : Buffer.from(changed);
}

async function filesOf(run: string): Promise<string[]> {
  const entries = await readdir(run, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(run.length + 1))
    .sort();
}
