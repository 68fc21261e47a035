import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { LoadlineError } from '../model/errors.js';
import { findChromium } from '../probes/find-chromium.js';
import type { ToolProcess } from './process.js';

export interface FoundChromium {
  readonly path: string;
  readonly version: string;
}

const installAnswer = z.object({ found: z.boolean(), why: z.string().optional(), todo: z.string().optional() });

/**
 * The Chromium for the probes: a named one, one that is here, else one that set-up brings. Commands that need none never
 * come here. Throws E_CHROMIUM_MISSING with the command to run, E_CHROMIUM_START when a named one does not run.
 */
export async function ensureChromium(tool: ToolProcess, flag: string | undefined): Promise<FoundChromium> {
  const request = { ...(flag === undefined ? {} : { flag }), env: tool.env };
  const found = await findChromium(request);
  if (found) return found;
  const answer = await install(tool);
  const installed = answer.found ? await findChromium(request) : undefined;
  if (installed) return installed;
  throw new LoadlineError('E_CHROMIUM_MISSING', 'There is no Chromium to play the probes.', {
    where: '--chromium, LOADLINE_CHROMIUM, Playwright’s own and the system’s',
    why: answer.why ?? 'none was found and none could be installed',
    todo: answer.todo ?? 'name one with --chromium PATH',
  });
}

/** Runs set-up's own file, which lies beside the build; its progress is on stderr. */
function install(tool: ToolProcess): Promise<z.infer<typeof installAnswer>> {
  const file = fileURLToPath(new URL('../set-up/chromium.mjs', import.meta.url));
  if (!existsSync(file)) return Promise.resolve({ found: false });
  return new Promise((resolve) => {
    const child = spawn(tool.selfCommand[0] ?? 'node', [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('error', () => resolve({ found: false }));
    child.on('close', () => resolve(readAnswer(text)));
  });
}

function readAnswer(text: string): z.infer<typeof installAnswer> {
  try {
    return installAnswer.parse(JSON.parse(text));
  } catch {
    return { found: false };
  }
}
