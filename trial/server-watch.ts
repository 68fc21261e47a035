import type { ServerEvent } from '../model/server-event.js';
import type { MediaServer } from '../server-setup/media-server.js';

/** Hears the media server for a whole run and passes on what it says to whoever listens now. */
export class ServerWatch {
  private readonly listeners = new Set<(event: ServerEvent) => void>();

  constructor(server: MediaServer) {
    server.onEvent((event) => {
      for (const listener of this.listeners) listener(event);
    });
  }

  /** Returns the function that ends it. */
  listen(listener: (event: ServerEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Events after which the sessions of a trial are gone, or nobody can tell. */
export function meansLost(event: ServerEvent): event is Extract<ServerEvent, { kind: 'lost' | 'sessions-lost' }> {
  return event.kind === 'lost' || event.kind === 'sessions-lost';
}
