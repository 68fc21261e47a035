import type { JanusLink } from './janus-link.js';

/** What the Admin API tells of everybody's sessions, by its own secret. */
export class AdminApi {
  readonly #link: JanusLink;
  readonly #secret: string;

  constructor(link: JanusLink, secret: string) {
    this.#link = link;
    this.#secret = secret;
  }

  get isLost(): boolean {
    return this.#link.isLost;
  }

  /** Every session that Janus holds, whoever made it. */
  async sessions(signal?: AbortSignal): Promise<readonly number[]> {
    const frame = { janus: 'list_sessions', admin_secret: this.#secret };
    const { sessions = [] } = await this.#link.request({ what: 'list_sessions', frame }, signal);
    return sessions;
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#link.close();
  }
}
