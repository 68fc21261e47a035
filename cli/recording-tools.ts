import type { Plan } from '../model/plan.js';
import { hasProgram } from './doctor/gather.js';
import type { ToolProcess } from './process.js';
import { setUpPart } from './set-up-part.js';

/**
 * Brings what looks at recorded files, when the embedded server will write some. Without it the run goes on: recording loads the
 * server all the same, and the report says that the files were not looked at.
 */
export async function ensureRecordingTools({ server, record }: Plan, tool: ToolProcess): Promise<void> {
  if (record !== true || server.kind !== 'embedded' || (await hasProgram('ffprobe', tool.env))) return;
  await setUpPart(tool, 'programs.mjs', 'ffmpeg');
}
