import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './fault.js';

/** By how many milliseconds the clock is wrong. */
export const stepFile = (folder: string) => join(folder, 'step');

/** The wall clock as the tool's own process sees it, set by what stands in a file: the machine's own is not touched. */
const preload = `
import { readFileSync } from 'node:fs';
const real = Date.now.bind(Date);
let by = 0;
setInterval(() => { try { by = Number(readFileSync(process.env.LOADLINE_TEST_STEP, 'utf8')) || 0; } catch {} }, 200).unref();
Date.now = () => real() + by;
`;

export async function steppedClock(folder: string): Promise<Stage> {
  const file = join(folder, 'step-clock.mjs');
  writeFileSync(file, preload);
  return {
    env: { NODE_OPTIONS: `--import=${file}`, LOADLINE_TEST_STEP: stepFile(folder) },
    close: async () => rmSync(stepFile(folder), { force: true }),
  };
}
