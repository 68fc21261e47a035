/**
 * The sources of the build, as one digest. By content: a copied or freshly checked-out tree has times that say nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';

export const folders = [
  'alerts',
  'analysis',
  'bench',
  'cli',
  'embedded-server',
  'host',
  'model',
  'probes',
  'report',
  'rtp',
  'scenarios',
  'server-setup',
  'simulation',
  'store',
  'trial',
];
const files = ['package.json', 'package-lock.json', 'set-up/build.mjs', 'set-up/notices.mjs'];

/** Lies in dist/ and holds the digest of what it was built from. */
export const stampName = '.sources';

export function sourcesDigest() {
  const hash = createHash('sha256');
  for (const path of [...folders.flatMap(sourcesIn), ...files]) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function sourcesIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.(ts|mjs|html|css|json|br)$/.test(name) && !/\.test\.ts$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}
