import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../model/run.js';
import { readLines } from './json-lines.js';
import { layout } from './layout.js';
import { SealChain, sealed, sealFacts, unsealed } from './seal.js';

/** What the trials that come are sealed with. */
export interface OpenSeal {
  /** As it is to be written. */
  readonly manifest: Manifest & { readonly seal: { readonly digest: string } };
  readonly chain: SealChain;
}

/**
 * Begins the seal of a run, or goes on with that of a run that is resumed: its manifest may be another now, and the seal
 * then names the ones before. Trials of before runs were sealed are counted, so that none of later can pass for one.
 * Throws E_RUN for a run that was changed.
 */
export async function openSeal(directory: string, manifest: Manifest): Promise<OpenSeal> {
  const chain = new SealChain();
  const { values } = await readLines(join(directory, layout.trials));
  for (const value of values) chain.read(value, layout.trials);
  const text = await readFile(join(directory, layout.manifest), 'utf8').catch(() => undefined);
  const before = text === undefined ? undefined : unsealed(JSON.parse(text), sealFacts.manifest, layout.manifest).seal;
  const facts = before
    ? { earlier: before.earlier, unsealedTrials: before.unsealedTrials }
    : { earlier: [], unsealedTrials: values.length };
  const same = sealed(manifest, facts);
  if (!before || same.seal.digest === before.digest) return { manifest: same, chain };
  return { manifest: sealed(manifest, { ...facts, earlier: [...before.earlier, before.digest] }), chain };
}
