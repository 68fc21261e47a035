import { expect, test } from '@playwright/test';
import type { Negotiated, NegotiationRequest, ProbeOffers } from '../model/signalling.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { ownRelay } from '../server-setup/turn/own-relay.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { findLimit } from './find-limit.js';
import { withNamedRelay } from './named-relay.js';

const request = { participant: { id: '1a' }, leg: { id: '1a' }, offer: '' } as NegotiationRequest;
const never = () => Promise.reject(new Error('nobody is offered to'));

/** What a probe is told before its offer and with the answer, of servers that are told at these times. */
async function told(begun: Partial<ProbeOffers>, answered: Partial<Negotiated>) {
  const failed: string[] = [];
  const signalling = {
    begin: async (): Promise<ProbeOffers> => ({ by: 'probe', ...begun }),
    negotiate: async (): Promise<Negotiated> => ({ answer: '', addCandidate: async () => undefined, ...answered }),
  };
  const among = (servers: readonly { readonly urls: readonly string[] }[]) => {
    const [first] = servers;
    if (!first) throw new Error('none');
    return first;
  };
  const { begin, negotiate } = withNamedRelay(signalling, { among }, ({ why = '' }) => void failed.push(why));
  const before = await begin({ ...request, renegotiate: never }).catch(String);
  const later = await negotiate(request).catch(String);
  return { before, later, failed };
}

const one = { urls: ['turn:a'] };
const other = { urls: ['turn:b'] };

test('a probe is told one relay: before its offer where that is named, else with the answer', async () => {
  expect(await told({ iceServers: [one, other] }, {})).toMatchObject({ before: { iceServers: [one] }, failed: [] });
  const later = await told({ candidates: 'after-the-answer' }, { iceServers: [other, one] });
  expect(later).toMatchObject({
    before: { candidates: 'after-the-answer' },
    later: { iceServers: [other] },
    failed: [],
  });
  expect(later.before).not.toHaveProperty('iceServers');
});

test('a server that names none before candidates are looked for is told at once', async () => {
  const { before, failed } = await told({ candidates: 'in-one-message' }, { iceServers: [one] });
  expect([before, failed[0]]).toEqual(['Error: none', 'none']);
});

test('a run on a media server that names no TURN server ends with that alone, before anything is measured', async () => {
  const { parts, events } = aSimulatedRun({ capacity: 2 });
  const order = { plan: aPlan({ max: 4 }), scenario: oneToOne };
  const run = findLimit(order, { ...parts, relay: ownRelay('udp') }, new AbortController().signal);
  await expect(run).rejects.toMatchObject({ code: 'E_TURN_NOT_NAMED' });
  const records = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  expect(records.map(({ verdict, window }) => [verdict.kind, window])).toEqual([['void', undefined]]);
});
