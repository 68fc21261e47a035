import { hasProgram } from '../../host/has-program.js';
import { shapesOf } from '../options/carried.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { setUpPart } from '../set-up-part.js';

/** Brings what this host must have for what is asked of the server. Throws what its kind throws: E_CANNOT_MIX. */
export async function prepareServer({ plan, scenario, kind }: RunRequest, tool: ToolProcess): Promise<void> {
  const asked = {
    scenario: scenario.name,
    mixes: shapesOf(scenario).some((shape) => shape !== 'forward'),
    records: plan.record === true,
  };
  await kind?.prepare?.(asked, {
    hasProgram: (file) => hasProgram(file, tool.env.PATH),
    bring: (part) => setUpPart(tool, 'programs.mjs', part),
  });
}
