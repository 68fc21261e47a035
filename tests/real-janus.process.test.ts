import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../model/errors.js';
import type { Session } from '../model/scenario.js';
import type { ServerEvent } from '../model/server-event.js';
import { onConnections } from '../scenarios/on-connections.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { hasJanus, type RealJanus, realJanus } from './real-janus.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const secrets = { api: 'only-for-tests', admin: 'only-for-tests-too' };
const usual = { maxVideoKbps: 500, videoCodec: 'vp8' };

test.describe('a real Janus, without media', () => {
  let janus: RealJanus;
  const servers: MediaServer[] = [];
  test.beforeEach(async () => {
    test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
    janus = await realJanus({ apiSecret: secrets.api, adminSecret: secrets.admin });
  });
  test.afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await janus?.close();
  });

  function serverAt(url: string, options: { readonly secrets?: object } = { secrets }): MediaServer {
    const server = new JanusServer({ url, adminUrl: janus.adminUrl, ...usual, ...options });
    servers.push(server);
    return server;
  }

  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => Promise.reject(new Error('should have been rejected')),
      (error: LoadlineError) => error,
    );

  test('is known by its version and its process, over WebSockets and over HTTP, and a session of it is gone after a reset', async () => {
    for (const url of [janus.url, janus.httpUrl]) {
      const server = serverAt(url);
      expect(await server.start(signal)).toMatchObject({ kind: 'janus', sameHost: true, pid: janus.pid });
      const [session] = onConnections(oneToOne, 'one').sessions(1) as [Session];
      await server.openSession(session, signal);
      const reset = await server.reset(signal);
      expect(reset).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
      expect(reset.rssMb).toBeGreaterThan(1);
      expect(await server.resources?.()).toMatchObject({ sessions: 0 });
      await server.stop();
    }
  });

  test('refuses a wrong secret and an SDP that is none, with its code', async () => {
    for (const url of [janus.url, janus.httpUrl]) {
      const wrong = await refusalOf(serverAt(url, { secrets: { api: 'guess' } }).start(signal));
      expect(wrong).toMatchObject({ code: 'E_SERVER_REFUSED' });
      expect(wrong.why).toContain('error 403');
      const server = serverAt(url);
      await server.start(signal);
      const [session] = onConnections(oneToOne, 'one').sessions(1) as [Session];
      const opened = await server.openSession(session, signal);
      const [participant] = session.participants;
      const [leg] = participant?.legs ?? [];
      if (!participant || !leg) throw new Error('a call has participants with legs');
      const request = { participant, leg, offer: 'this is no SDP', onCandidate: () => undefined, signal };
      expect(await refusalOf(opened.join(request))).toMatchObject({ code: 'E_SERVER_REFUSED' });
    }
  });

  test('that is killed is lost, at once and with its reason, over WebSockets and over HTTP', async () => {
    const events: ServerEvent[] = [];
    for (const url of [janus.url, janus.httpUrl]) {
      const server = serverAt(url);
      server.onEvent((event) => events.push(event));
      await server.start(signal);
    }
    await janus.kill();
    await soon(() => events.filter(({ kind }) => kind === 'lost').length).toBe(2);
  });
});
