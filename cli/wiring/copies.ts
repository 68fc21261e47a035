import { basename } from 'node:path';
import type { PointSink } from '../../store/points/point-sink.js';
import type { Sink } from '../../store/sink.js';
import type { RunRequest } from '../options/run-request.js';
import { exampleOf } from '../options/sink-flags.js';
import type { ToolProcess } from '../process.js';

/** A place that is open for a copy, and the command that sends a run there again. */
interface OpenPlace {
  readonly to: PointSink;
  readonly again: string;
}

/** Opens each place, before the run's folder is made: one that cannot be opened leaves nothing behind. */
export async function openPlaces(
  { copies = [] }: Pick<RunRequest, 'copies'>,
  { env }: Pick<ToolProcess, 'env'>,
  /** Shows a line to whoever watches. */
  say: (text: string) => void,
): Promise<readonly OpenPlace[]> {
  return Promise.all(
    copies.map(async ({ kind, description, open }) => {
      const to = await open({ env, onTrouble: (text) => say(`${description} ${text}`) });
      // What is known only now: the port of a page that took any free one.
      if (to.description !== description) say(to.description);
      return { to, again: `loadline export RUN ${exampleOf(kind)}` };
    }),
  );
}

/** A copy of the run in each place. */
export async function copiesIn(
  places: readonly OpenPlace[],
  { scenario }: Pick<RunRequest, 'scenario'>,
  runDirectory: string,
): Promise<readonly Sink[]> {
  if (places.length === 0) return [];
  // Loaded late: most runs have no copy.
  const { copySink } = await import('../../store/points/copy-sink.js');
  return places.map((place) => copySink({ ...place, run: basename(runDirectory), scenario }));
}
