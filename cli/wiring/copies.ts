import { basename } from 'node:path';
import type { Sink } from '../../store/sink.js';
import type { RunRequest } from '../options/run-request.js';
import { exampleOf } from '../options/sink-flags.js';
import type { ToolProcess } from '../process.js';

/** Opens a copy of the run in each place that was asked for. */
export async function openCopies(
  { copies = [], scenario }: Pick<RunRequest, 'copies' | 'scenario'>,
  runDirectory: string,
  { env }: Pick<ToolProcess, 'env'>,
  /** Shows a line to whoever watches. */
  say: (text: string) => void,
): Promise<readonly Sink[]> {
  if (copies.length === 0) return [];
  // Loaded late: most runs have no copy.
  const { copySink } = await import('../../store/points/copy-sink.js');
  return Promise.all(
    copies.map(async ({ kind, description, open }) => {
      const to = await open({ env, onTrouble: (text) => say(`${description} ${text}`) });
      // What is known only now: the port of a page that took any free one.
      if (to.description !== description) say(to.description);
      const again = `loadline export RUN ${exampleOf(kind)}`;
      return copySink({ to, run: basename(runDirectory), scenario, again });
    }),
  );
}
