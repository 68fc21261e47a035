import { atMost } from '../../host/bounded-wait.js';
import type { ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ProcessMeter } from './process-resources.js';

/** Below what a whole reading may take (`trial/evidence-watch.ts`). */
const answerWithinMs = 1500;

/**
 * A reading of a server's process, and how many sessions it says it holds where it says so in time: a full server,
 * which answers late or not at all, is the one whose CPU matters most. Rejects as `sessions` does without a process.
 */
export async function readBeside(
  sessions: Promise<number | undefined>,
  meter: Pick<ProcessMeter, 'read'> | undefined,
): Promise<ServerReading> {
  if (meter === undefined) return { atMs: Date.now(), ...given({ sessions: await sessions }) };
  // What it took is up to now, however long the answer is waited for.
  const taken = meter.read().then((values) => ({ atMs: Date.now(), ...values }));
  const [said, values] = await Promise.all([atMost(answerWithinMs, sessions).catch(() => undefined), taken]);
  return { ...values, ...given({ sessions: said?.inTime ? said.value : undefined }) };
}
