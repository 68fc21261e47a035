import { ofHost } from '../../model/probe-host.js';
import { type ServerEvent, serverEventText } from '../../model/server-event.js';
import type { TrialEvent } from '../../model/trial.js';

/** What happened in a trial that a person should see at once; undefined for what the record alone keeps. */
export function happening(event: TrialEvent): string | undefined {
  switch (event.type) {
    case 'probe-failed':
      return `probe ${event.failure.probe} failed: ${event.failure.detail} (${event.failure.code})`;
    case 'browser-crashed':
      return `browser ${event.browser}${ofHost(event.host)} ended by itself; it played ${event.probes.join(', ')}`;
    case 'host-lost':
      return `probe host ${event.host} went away: ${event.detail}; it played ${event.probes.join(', ')}`;
    case 'warning':
      return event.text;
    case 'network':
      return `the network "${event.network}"${ofHost(event.host)} has changed, as planned`;
    case 'server':
      return ofTheRun.has(event.kind) ? `server: ${event.kind}, ${serverEventText(event)}` : undefined;
    case 'phase':
    case 'probe-up':
    case 'page-log':
    case 'app-value':
      return undefined;
  }
}

/** Of the many events of a media server, the ones that concern the run as a whole. */
const ofTheRun: ReadonlySet<ServerEvent['kind']> = new Set([
  'lost',
  'reconnected',
  'sessions-lost',
  'excess',
  'foreign-sessions',
  'orphans-released',
]);
