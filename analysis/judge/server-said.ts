import { type Failing, failingText, type ServerEvent } from '../../model/server-event.js';
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

const mostNamed = 5;

/**
 * What the media server itself reported as an error, each once: the likely cause of what participants noticed, such as
 * a room whose mixer died. Alone it makes no trial unstable: only what a participant notices does. While all leave,
 * what fails was noticed by nobody, such as an offer to a connection that is closed already.
 */
export function serverErrors(events: readonly TrialEvent[]): Reason[] {
  const leave = events.find((event) => event.type === 'phase' && event.phase === 'leave');
  const failures = events.flatMap((event) =>
    event.type === 'server' && event.kind === 'failed' && !(leave && event.atMs >= leave.atMs) ? event : [],
  );
  const bySaying = new Map(failures.map((failure) => [`${failingText(failure)}${failure.detail}`, failure] as const));
  return [...bySaying]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, mostNamed)
    .map(([said, failure]) => reasonOf(said, failure));
}

function reasonOf(said: string, failing: Failing): Reason {
  const text = `The media server reported an error: ${said.trim().replace(/(?<![:.])[:.]+$/, '')}.`;
  return { code: 'server-error', text, ...(failing.of === 'session' ? { session: failing.session } : {}) };
}

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
  return [...most].sort(([one], [other]) => (one < other ? -1 : 1)).map(excessReason);
}

function excessReason([detail, dropped]: readonly [string, number]): Reason {
  const rest = dropped === 0 ? '' : `; ${dropped} were dropped`;
  return { code: 'server-excess', text: `The media server sent more than one that works: ${detail}${rest}.` };
}
