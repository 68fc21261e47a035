import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { NegotiationRequest } from '../../model/signalling.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { type Script, type ScriptedRequest, scriptedKurento } from '../../tests/scripted-kurento.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const call = oneToOne.sessions(1)[0] as Session;
const [participant] = call.participants;
const [leg] = participant?.legs ?? [];

const closers: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function started(script: Script) {
  const scripted = await scriptedKurento(script);
  const server = new KurentoServer({ url: scripted.url });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  closers.push(scripted.close, () => server.stop());
  await server.start(signal);
  return { scripted, server, events };
}

const offer = { participant, leg, offer: 'v=0\r\n', onCandidate: () => undefined, signal } as NegotiationRequest;
const operationIs = (name: string) => (request: ScriptedRequest) => request.params.operation === name;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: LoadlineError) => error.code,
  );

test('a join that fails leaves neither its endpoint nor its port behind', async () => {
  const { server, scripted } = await started((request) =>
    operationIs('gatherCandidates')(request) ? { error: { code: 40_400, message: 'no port' } } : undefined,
  );
  const session = await server.openSession({ ...call, shape: 'mix' }, signal);
  expect(await codeOf(session.join(offer))).toBe('E_SERVER_REFUSED');
  const released = scripted.requests.flatMap(({ method, params }) =>
    method === 'release' ? [/(WebRtcEndpoint|HubPort)/.exec(String(params.object))?.[0]] : [],
  );
  expect(released.sort()).toEqual(['HubPort', 'WebRtcEndpoint']);
});

test('a join that ends after its session was closed is refused, and nobody listens to its endpoint any more', async () => {
  let closed: Promise<void> | undefined;
  const { server, scripted, events } = await started((request) => {
    if (operationIs('processOffer')(request)) closed ??= session.close();
    return undefined;
  });
  const session = await server.openSession(call, signal);
  expect(await codeOf(session.join(offer))).toBe('E_SERVER_REFUSED');
  await closed;
  const before = events.length;
  const endpoint = String(scripted.requests.find(operationIs('processOffer'))?.params.object);
  scripted.say(endpoint, 'Error', { description: 'late', errorCode: 1, type: 'X' });
  // The answer to a later request comes after what was said before it.
  await server.reset(signal);
  expect(events.length).toBe(before);
});
