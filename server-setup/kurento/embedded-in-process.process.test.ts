import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import type { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const call = oneToOne.sessions(1)[0] as Session;

let embedded: EmbeddedServer;
test.beforeEach(async () => {
  embedded = await startEmbeddedServer({ port: 0 });
});
test.afterEach(() => embedded.close());

test('the embedded server is never called Kurento', async () => {
  const server = new KurentoServer({ url: embedded.url });
  const facts = await server.start(signal);
  expect(facts.kind).toBe('embedded');
  expect(facts.name).toMatch(/^embedded/);
  await server.stop();
});

test('an offer that is no SDP is refused as a Kurento refuses it', async () => {
  const server = new KurentoServer({ url: embedded.url });
  await server.start(signal);
  const session = await server.openSession(call, signal);
  const participant = call.participants[0] as Session['participants'][number];
  const leg = participant.legs[0] as (typeof participant.legs)[number];
  const request = { participant, leg, offer: 'garbage', onCandidate: () => undefined, signal };
  const error = await session.join(request).catch((reason: LoadlineError) => reason);
  expect(error).toMatchObject({
    code: 'E_SERVER_REFUSED',
    message: expect.stringMatching(/: Invalid SDP \(40201 SDP_PARSE_ERROR\)$/),
  });
  await server.stop();
});

test('what another client left on an embedded server is released at start and told', async () => {
  const first = new KurentoServer({ url: embedded.url });
  await first.start(signal);
  await first.openSession(call, signal);
  const second = new KurentoServer({ url: embedded.url });
  const events: string[] = [];
  second.onEvent(({ kind }) => events.push(kind));
  await second.start(signal);
  expect(events).toEqual(['orphans-released']);
  expect(await second.reset(signal)).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
  await first.stop();
  await second.stop();
});
