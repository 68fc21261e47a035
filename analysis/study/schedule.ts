import { groupedBy } from '../../model/grouped.js';
import { drawn, seededRandom } from '../../model/seeded-random.js';
import { blockOf, type StudyCell, type StudyPart, type StudyStep } from '../../model/study.js';

/** Every server under every scenario in every setting. */
export function cellsOf(
  servers: readonly string[],
  scenarios: readonly string[],
  settings: readonly string[],
): StudyCell[] {
  const kinds = settings.length === 0 ? [undefined] : settings;
  return scenarios.flatMap((scenario) =>
    kinds.flatMap((setting) =>
      servers.map((server) => ({
        id: [server, scenario, ...(setting === undefined ? [] : [setting])].join('+'),
        server,
        scenario,
        ...(setting === undefined ? {} : { setting }),
      })),
    ),
  );
}

/**
 * Whole rounds. In each, the servers of one load run one after the other, in an order that chance draws, so that what
 * drifts meets all of them alike; so does the order of loads. The runs of a cell follow each other. The same seed gives
 * the same order.
 */
export function scheduleOf(
  { cells, parts }: { readonly cells: readonly StudyCell[]; readonly parts: readonly StudyPart[] },
  rounds: number,
  seed: number,
): StudyStep[] {
  const random = seededRandom(seed);
  const shuffled = <T>(values: readonly T[]): T[] => drawn(values, values.length, random);
  const blocks = [...groupedBy(cells, blockOf).values()];
  return Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    shuffled(blocks).flatMap((block) =>
      shuffled(block).flatMap((cell) => parts.map((part) => ({ round, cell, part }))),
    ),
  );
}
