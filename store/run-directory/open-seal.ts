import { join } from 'node:path';
import type { Manifest } from '../../model/run.js';
import { visitJsonLines } from './json-lines.js';
import { layout } from './layout.js';
import { SealChain, sealed, sealFacts, unsealed } from './seal.js';
import { smallText, undefinedWhenUnread } from './small-file.js';

/** What the trials that come are sealed with. */
export interface OpenSeal {
  /** As it is to be written. */
  readonly manifest: Manifest & { readonly seal: { readonly digest: string } };
  readonly chain: SealChain;
}

/**
 * Begins the seal of a run, or goes on with that of a run that is resumed: its manifest may be another now, and the
 * seal then names the ones before. Trials of before runs were sealed are counted, so that none of later can pass for
 * one. Throws E_RUN for a run that was changed.
 */
export async function openSeal(directory: string, manifest: Manifest): Promise<OpenSeal> {
  const chain = new SealChain();
  await visitJsonLines(join(directory, layout.trials), (value) => chain.read(value, layout.trials));
  const text = await smallText(join(directory, layout.manifest)).catch(undefinedWhenUnread);
  const before = text === undefined ? undefined : unsealed(JSON.parse(text), sealFacts.manifest, layout.manifest).seal;
  const facts = before
    ? { earlier: before.earlier, unsealedTrials: before.unsealedTrials }
    : { earlier: [], unsealedTrials: chain.trials };
  const same = sealed(manifest, facts);
  if (!before || same.seal.digest === before.digest) return { manifest: same, chain };
  return { manifest: sealed(manifest, { ...facts, earlier: [...before.earlier, before.digest] }), chain };
}
