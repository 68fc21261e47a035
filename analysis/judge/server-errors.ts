import type { TrialEvent } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';

const mostNamed = 5;

/**
 * What the media server itself reported as an error, each once: the likely cause of what participants noticed, such as a room
 * whose mixer died. Alone it makes no trial unstable: only what a participant notices does.
 */
export function serverErrors(events: readonly TrialEvent[]): Reason[] {
  const details = events.flatMap((event) => (event.type === 'server' && event.name === 'Error' ? event.detail : []));
  return [...new Set(details)].sort().slice(0, mostNamed).map(reasonOf);
}

function reasonOf(detail: string): Reason {
  const [, session] = /^session (\S+): /.exec(detail) ?? [];
  const text = `The media server reported an error: ${detail.trim().replace(/[:.]+$/, '')}.`;
  return { code: 'server-error', text, ...(session === undefined ? {} : { session }) };
}
