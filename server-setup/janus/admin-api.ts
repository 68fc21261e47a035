import type { JanusLink } from './janus-link.js';

/** What the Admin API tells of everybody's sessions, by its own secret. */
export class AdminApi {
  constructor(
    private readonly link: JanusLink,
    private readonly secret: string,
  ) {}

  get isLost(): boolean {
    return this.link.isLost;
  }

  /** Every session that Janus holds, whoever made it. */
  async sessions(signal?: AbortSignal): Promise<readonly number[]> {
    const frame = { janus: 'list_sessions', admin_secret: this.secret };
    const { sessions = [] } = await this.link.request({ what: 'list_sessions', frame }, signal);
    return sessions;
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.link.close();
  }
}
