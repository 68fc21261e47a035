import { type Failing, failingText } from '../../model/server-event.js';
import type { TrialEvent } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';

const mostNamed = 5;

/**
 * What the media server itself reported as an error, each once: the likely cause of what participants noticed, such as
 * a room whose mixer died. Alone it makes no trial unstable: only what a participant notices does.
 */
export function serverErrors(events: readonly TrialEvent[]): Reason[] {
  const failures = events.flatMap((event) => (event.type === 'server' && event.kind === 'failed' ? event : []));
  const bySaying = new Map(failures.map((failure) => [`${failingText(failure)}${failure.detail}`, failure] as const));
  return [...bySaying]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, mostNamed)
    .map(([said, failure]) => reasonOf(said, failure));
}

function reasonOf(said: string, failing: Failing): Reason {
  const text = `The media server reported an error: ${said.trim().replace(/[:.]+$/, '')}.`;
  return { code: 'server-error', text, ...(failing.of === 'session' ? { session: failing.session } : {}) };
}
