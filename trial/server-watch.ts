import { shortWords } from '../model/secrets.js';
import type { ServerEvent } from '../model/server-event.js';
import type { MediaServer } from '../server-setup/media-server.js';

/** A server's own words are for a person to read: a page of them is enough. */
const wordsMax = 2000;
/** Of a leg, a server that works tells some ten in all; a loop of errors tells no more by its ten-thousandth. */
const eventsPerParticipantMax = 200;
const eventsMin = 2000;
/** So many are kept for each of these, so that a long window is not taken for a flood. */
const spellMs = 600_000;

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

  /**
   * Of a trial of so many participants: as many events as are kept, one when there were more, and one at the end that
   * says how many were dropped. Returns the function that ends it.
   */
  listen(participants: number, listener: (event: ServerEvent) => void): () => void {
    const bound = new EventBound(Math.max(eventsMin, participants * eventsPerParticipantMax), listener);
    const hear = (event: ServerEvent): void => bound.hear(event);
    this.listeners.add(hear);
    return () => {
      if (this.listeners.delete(hear)) bound.end();
    };
  }
}

class EventBound {
  private startedAtMs: number | undefined;
  private kept = 0;
  private dropped = 0;
  private last: ServerEvent | undefined;

  constructor(
    private readonly most: number,
    private readonly listener: (event: ServerEvent) => void,
  ) {}

  hear(event: ServerEvent): void {
    this.startedAtMs ??= event.atMs;
    const spells = 1 + Math.max(0, Math.floor((event.atMs - this.startedAtMs) / spellMs));
    if (this.kept < this.most * spells) {
      this.kept += 1;
      this.listener(event);
    } else if (meansLost(event) || event.kind === 'reconnected') this.listener(event);
    else {
      this.dropped += 1;
      this.last = event;
      if (this.dropped === 1) this.tell(event);
    }
  }

  end(): void {
    if (this.last && this.dropped > 1) this.tell(this.last);
  }

  /** The server's fault, so that the trial is judged by it. */
  private tell({ atMs }: ServerEvent): void {
    const detail = `more than ${this.most} events in ten minutes`;
    this.listener({ kind: 'excess', atMs, detail, dropped: this.dropped });
  }
}

/** Its texts reach terminals, logs and reports. */
function inPlainText(event: ServerEvent): ServerEvent {
  const entries = Object.entries(event).map(([key, value]) => [
    key,
    typeof value === 'string' ? shortWords(value, wordsMax) : value,
  ]);
  return Object.fromEntries(entries) as ServerEvent;
}

/** Events after which the sessions of a trial are gone, or nobody can tell. */
export function meansLost(event: ServerEvent): event is Extract<ServerEvent, { kind: 'lost' | 'sessions-lost' }> {
  return event.kind === 'lost' || event.kind === 'sessions-lost';
}
