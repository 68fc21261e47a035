import { LoadlineError } from '../../model/errors.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import type { ToolProcess } from '../process.js';
import { setUpPart } from '../set-up-part.js';

export interface FoundChromium {
  readonly path: string;
  readonly version: string;
}

/**
 * The Chromium for the probes: a named one, one that is here, else one that set-up brings. Commands that need none
 * never come here. Throws E_CHROMIUM_MISSING with the command to run, E_CHROMIUM_START when a named one does not run.
 */
export async function ensureChromium(tool: ToolProcess, flag: string | undefined): Promise<FoundChromium> {
  const request = { flag, env: tool.env };
  const found = await findChromium(request);
  if (found) return found;
  const answer = await setUpPart(tool, 'chromium.mjs');
  const installed = answer.found ? await findChromium(request) : undefined;
  if (installed) return installed;
  throw new LoadlineError('E_CHROMIUM_MISSING', 'There is no Chromium to play the probes.', {
    where: '--chromium, LOADLINE_CHROMIUM, Playwright’s own and the system’s',
    why: answer.why ?? 'none was found and none could be installed',
    todo: answer.todo ?? 'name one with --chromium PATH',
  });
}
