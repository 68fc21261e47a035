import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** From package.json, which lies one folder above both the sources and the build. */
export function loadlineVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** For `--version`: has the digest of the sources, which tells two builds of one version apart. */
export function versionAndBuild(): string {
  return `${loadlineVersion()} (build ${ownBuild()})`;
}

/**
 * What the program was built from, so that a host and a conductor know whether they are of one build. The build has a
 * file of it beside it; where it is missing, what runs was not built at all.
 */
export function ownBuild(): string {
  try {
    return readFileSync(new URL('.sources', import.meta.url), 'utf8')
      .trim()
      .slice(0, 16);
  } catch {
    return 'not-built';
  }
}
