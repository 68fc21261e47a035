import { shortText } from '../model/plain-text.js';
import type { ServerEvent } from '../model/server-event.js';
import type { MediaServer } from '../server-setup/media-server.js';

/** A server's own words are for a person to read: a page of them is enough. */
const wordsMax = 2000;
/** Of a leg, a server that works tells some ten; a loop of errors tells no more by its ten-thousandth. */
const eventsPerParticipantMax = 200;
const eventsMin = 2000;

/** Hears the media server for a whole run and passes on what it says to whoever listens now. */
export class ServerWatch {
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  constructor(server: MediaServer) {
    server.onEvent((event) => {
      if (this.listeners.size === 0) return;
      const legible = inPlainText(event);
      for (const listener of this.listeners) listener(legible);
    });
  }

  /** Of a trial of so many participants: as many events as may be kept, then one that says so. Returns the function that ends it. */
  listen(participants: number, listener: (event: ServerEvent) => void): () => void {
    const most = Math.max(eventsMin, participants * eventsPerParticipantMax);
    let heard = 0;
    const bounded = (event: ServerEvent): void => {
      heard += 1;
      if (heard <= most || meansLost(event)) listener(event);
      else if (heard === most + 1) listener(tooMany(most, event.atMs));
    };
    this.listeners.add(bounded);
    return () => this.listeners.delete(bounded);
  }
}

/** An error of the server's, so that the trial is judged by it. */
function tooMany(most: number, atMs: number): ServerEvent {
  const detail = `it reported more than ${most} events in one trial; those after them are not kept`;
  return { kind: 'failed', of: 'server', atMs, detail };
}

/** Its texts reach terminals, logs and reports. */
function inPlainText(event: ServerEvent): ServerEvent {
  const entries = Object.entries(event).map(([key, value]) => [
    key,
    typeof value === 'string' ? shortText(value, wordsMax) : value,
  ]);
  return Object.fromEntries(entries) as ServerEvent;
}

/** Events after which the sessions of a trial are gone, or nobody can tell. */
export function meansLost(event: ServerEvent): event is Extract<ServerEvent, { kind: 'lost' | 'sessions-lost' }> {
  return event.kind === 'lost' || event.kind === 'sessions-lost';
}
