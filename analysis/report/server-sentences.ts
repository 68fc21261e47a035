import { memoryGrowth, type ServerExhaustion, serverExhaustions, transcodedLegs } from '../measure/server-load.js';
import type { FinishedRun } from '../search/result.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';
import { wrap } from './layout.js';
import type { TextStyle } from './style.js';

export function ranOutSection(run: FinishedRun, failedSizes: readonly number[], style: TextStyle): string[] {
  const sentences = ranOutSentences(run, failedSizes);
  if (sentences.length === 0) return [];
  return [style.bold('  What ran out'), ...sentences.flatMap((sentence) => wrap(sentence, 4, 80, 2))];
}

/** What the media server ran out of at the sizes that failed; empty when nothing says of what. */
export function ranOutSentences(run: FinishedRun, failedSizes: readonly number[]): string[] {
  return serverExhaustions(run, failedSizes).map((one) => exhaustionSentence(run, one));
}

function exhaustionSentence(run: FinishedRun, { what, size, used, limit, dropped = 0 }: ServerExhaustion): string {
  const at = `at ${countOf(run, size)}`;
  if (what === 'turn-cpu')
    return `The TURN server's CPU: ${used.toFixed(2)} of the ${numberNear(limit)} cores that it can use were in use ${at}.`;
  return what === 'cpu'
    ? `The server's CPU: ${used.toFixed(2)} of the ${numberNear(limit)} cores it was given were in use ${at}.`
    : `The up-link of the server (${numberNear(limit)} Mbit/s) is full: ${used.toFixed(2)} Mbit/s left it ${at}, and ${plural(dropped, 'packet')} were dropped.`;
}

/** What the server itself adds to how far a run can be trusted. */
export function serverSentences(run: FinishedRun): string[] {
  const growth = memoryGrowth(run);
  const transcoded = transcodedLegs(run);
  return [
    ...cleanlinessSentences(run),
    ...(growth === undefined
      ? []
      : [
          `Warning: the server keeps memory: ${numberNear(growth.fromMb)} MB after the reset of trial ${growth.fromTrial}, ${numberNear(growth.toMb)} MB after that of trial ${growth.toTrial}. It may leak, and larger sizes may have left more behind.`,
        ]),
    ...(transcoded === 0
      ? []
      : [
          `Warning: the server transcoded on ${plural(transcoded, 'leg')} where it should only forward: it carries less that way. Do both ends speak ${run.manifest.plan.media.videoCodec}?`,
        ]),
  ];
}

/** Where nothing but an idle process, or nothing at all, shows that a trial began on a clean server. */
function cleanlinessSentences({ records }: FinishedRun): string[] {
  const proofs = new Set(records.flatMap(({ reset }) => reset?.how ?? []));
  if (proofs.has('not-provable'))
    return [
      'Warning: nothing shows that the server was clean before each trial: what one trial left behind may be in the numbers of the next.',
    ];
  if (proofs.has('idle'))
    return ['That the server was clean before each trial was seen by its CPU and memory alone: it lists no sessions.'];
  return [];
}
