import type { ServerNote } from '../media-server.js';
import type { JanusLink } from './janus-link.js';
import { secretNames } from './janus-options.js';
import { listSessions } from './refusals.js';

/** Whether it is asked, for `doctor`. */
export function adminNote(admin: AdminApi | undefined): ServerNote {
  const { admin: variable } = secretNames;
  if (admin) return { text: `its Admin API answers at ${admin.url}, with the secret of ${variable}` };
  return {
    text: `its Admin API is not asked: ${variable} is not set`,
    todo: `set it to the admin_secret of janus.jcfg, and give --janus-admin if it is not at ws://HOST:7188: sessions of others and private rooms are seen by it alone`,
  };
}

/** What the Admin API tells of everybody's sessions, by its own secret. */
export class AdminApi {
  constructor(
    readonly url: string,
    private readonly link: JanusLink,
    private readonly secret: string,
  ) {}

  get isLost(): boolean {
    return this.link.isLost;
  }

  /** Every session that Janus holds, whoever made it. */
  async sessions(signal?: AbortSignal): Promise<readonly number[]> {
    const frame = { janus: listSessions, admin_secret: this.secret };
    const { sessions = [] } = await this.link.request({ what: listSessions, frame }, signal);
    return sessions;
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.link.close();
  }
}
