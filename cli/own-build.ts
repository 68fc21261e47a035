import { readFileSync } from 'node:fs';

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
