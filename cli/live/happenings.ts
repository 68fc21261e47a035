import type { TrialEvent } from '../../model/trial.js';

/** What happened in a trial that a person should see at once; undefined for what the record alone keeps. */
export function happening(event: TrialEvent): string | undefined {
  switch (event.type) {
    case 'probe-failed':
      return `probe ${event.failure.probe} failed: ${event.failure.detail} (${event.failure.code})`;
    case 'browser-crashed':
      return `browser ${event.browser} ended by itself; it played ${event.probes.join(', ')}`;
    case 'warning':
      return event.text;
    case 'network':
      return `the network "${event.network}" has changed, as planned`;
    case 'server':
      return serverNames.has(event.name) ? `server: ${event.name}, ${event.detail}` : undefined;
    case 'phase':
    case 'probe-up':
    case 'page-log':
      return undefined;
  }
}

/** Of the many events of a media server, the ones that concern the run as a whole. */
const serverNames: ReadonlySet<string> = new Set([
  'lost',
  'reconnected',
  'session-lost',
  'foreign-pipelines',
  'orphans-released',
]);
