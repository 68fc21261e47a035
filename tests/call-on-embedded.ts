import type { Imitation } from '../embedded-server/imitation.js';
import { startEmbeddedServer } from '../embedded-server/server.js';
import type { Session } from '../model/scenario.js';
import type { Negotiate } from '../model/signalling.js';
import { KurentoServer } from '../server-setup/kurento/kurento-server.js';

const { signal } = new AbortController();

/** A session on an embedded server of its own, which is ended by `close`. */
export async function callOnEmbedded(session: Session, maxVideoKbps: number, imitation: Partial<Imitation> = {}) {
  const embedded = await startEmbeddedServer({ port: 0, imitation });
  const server = new KurentoServer({ url: embedded.url, maxVideoKbps });
  await server.start(signal);
  const opened = await server.openSession(session, signal);
  const negotiate: Negotiate = (request) => opened.join(request);
  const close = async () => {
    await opened.close();
    await server.stop();
    await embedded.close();
  };
  return { id: session.id, negotiate, close };
}

/** Joins each participant to the call of its session. */
export function negotiateWith(calls: readonly { readonly id: string; readonly negotiate: Negotiate }[]): Negotiate {
  const negotiates = new Map(calls.map(({ id, negotiate }) => [id, negotiate]));
  return async (request) => {
    const call = negotiates.get(request.participant.session);
    if (!call) throw new Error(`no such call: ${request.participant.session}`);
    return call(request);
  };
}
