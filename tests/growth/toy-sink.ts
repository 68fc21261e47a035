import { writeFile } from 'node:fs/promises';
import { LoadlineError } from '../../model/errors.js';
import { PointSender } from '../../store/points/point-sender.js';
import type { SinkKind } from '../../store/sink-kind.js';

/**
 * A whole kind of sink: a file with one JSON object for each point. It stands in `docs/reference/growing.md` as the
 * example.
 */
export const toy: SinkKind = {
  name: 'toyFile',
  takes: 'file',
  summary: 'copy points to this file while the run goes on; may be repeated',
  exportSummary: 'the file that gets the points; may be repeated',
  help: 'Toy file:\n  --toy-file points.jsonl',
  mustBe: 'must be a file: points.jsonl',
  read(path) {
    if (!path.endsWith('.jsonl'))
      throw new LoadlineError('E_USAGE', '--toy-file must end in .jsonl.', { where: '--toy-file', why: path });
    return {
      kind: toy,
      description: `toy file ${path}`,
      open: async (surroundings) =>
        new PointSender(
          {
            description: `toy file ${path}`,
            encode: (point) => JSON.stringify(point),
            write: async (points) => {
              const failed = await writeFile(path, points.map((point) => `${point}\n`).join(''), { flag: 'a' }).catch(
                String,
              );
              return failed === undefined ? { kind: 'taken' } : { kind: 'failed', why: failed };
            },
          },
          surroundings,
        ),
      notTaken: (lost, why) => new LoadlineError('E_OUT', `${lost} points are not in ${path}.`, { where: path, why }),
    };
  },
};

/** What adds it: a line of the registry. */
export const toySinkLines = [
  { file: 'store/sinks.ts', replaces: /^/, by: "import { toy } from '../tests/growth/toy-sink.js';\n" },
  { file: 'store/sinks.ts', replaces: 'scrape]', by: 'scrape, toy]' },
];
