import type { ServerEvent } from '../../model/server-event.js';
import type { TrialEvent } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';

/** The server is lost when it said so and did not come back, or when a probe fell for that reason. */
export function serverLost(events: readonly TrialEvent[], failures: readonly Reason[]): Reason[] {
  const last = events
    .flatMap((event) => (event.type === 'server' && isOfConnection(event) ? event : []))
    .sort((a, b) => a.atMs - b.atMs)
    .at(-1);
  if (last && last.kind !== 'reconnected') {
    return [{ code: 'server-lost', text: `The media server went away: ${last.detail}.` }];
  }
  return failures.filter(({ code }) => code === 'server-lost');
}

function isOfConnection(
  event: ServerEvent,
): event is Extract<ServerEvent, { kind: 'lost' | 'sessions-lost' | 'reconnected' }> {
  return event.kind === 'lost' || event.kind === 'sessions-lost' || event.kind === 'reconnected';
}
