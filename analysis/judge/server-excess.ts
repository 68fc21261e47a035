import type { TrialEvent } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';

/**
 * Where the media server sent more than is read or kept of one, each bound once. That is its own doing, whatever
 * participants noticed: a server that floods whoever controls it does so to its users' application, too.
 */
export function serverExcess(events: readonly TrialEvent[]): Reason[] {
  const most = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'server' || event.kind !== 'excess') continue;
    most.set(event.detail, Math.max(most.get(event.detail) ?? 0, event.dropped ?? 0));
  }
  return [...most].sort(([one], [other]) => (one < other ? -1 : 1)).map(reasonOf);
}

function reasonOf([detail, dropped]: readonly [string, number]): Reason {
  const rest = dropped === 0 ? '' : `; ${dropped} were dropped`;
  return { code: 'server-excess', text: `The media server sent more than one that works: ${detail}${rest}.` };
}
