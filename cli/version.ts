import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ownBuild } from './own-build.js';

/** From package.json, which lies one folder above both the sources and the build. */
export function loadlineVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** For `--version`: has the digest of the sources, which tells two builds of one version apart. */
export function versionAndBuild(): string {
  return `${loadlineVersion()} (build ${ownBuild()})`;
}
