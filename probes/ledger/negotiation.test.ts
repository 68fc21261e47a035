import { expect, test } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import type { Participant } from '../../model/scenario.js';
import type {
  CandidateTiming,
  IceCandidate,
  LegRequest,
  Negotiated,
  ProbeOffers,
  ServerOffers,
} from '../../model/signalling.js';
import type { ProbeFailure, TrialEvent } from '../../model/trial.js';
import { refusalOf } from '../refusal.js';
import { Negotiation } from './negotiation.js';
import { ProbeCalls } from './probe-calls.js';
import { ProbeLedger } from './probe-ledger.js';

const leg = { id: '1a', sends: [], receives: [] };
const participant: Participant = { id: '1a', session: '1', role: 'caller', legs: [leg] };
const candidate = (text: string): IceCandidate => ({ candidate: text, sdpMid: '0', sdpMLineIndex: 0 });

function negotiation(answer: Promise<Negotiated>, refusals: unknown[] = []): Negotiation {
  return new Negotiation({
    participant,
    leg,
    negotiate: () => answer,
    signal: new AbortController().signal,
    renegotiate: () => Promise.reject(new Error('no page')),
    toPage: () => undefined,
    onRefusal: (refusal) => refusals.push(refusal),
  });
}

test('candidates of the page wait for the answer and then go to the server in order', async () => {
  const got: string[] = [];
  let resolve: (agreed: Negotiated) => void = () => undefined;
  const one = negotiation(
    new Promise((done) => {
      resolve = done;
    }),
  );
  const reply = one.offer('offer');
  one.candidate(candidate('first'));
  one.candidate(candidate('second'));
  expect(got).toEqual([]);
  resolve({ answer: 'answer', addCandidate: async (what) => void got.push(what.candidate) });
  expect(await reply).toEqual({ ok: true, answer: 'answer' });
  one.candidate(candidate('third'));
  expect(got).toEqual(['first', 'second', 'third']);
});

test('a server that sends candidates without end fails the probe once, and its page gets no more of them', async () => {
  const refusals: unknown[] = [];
  let shown = 0;
  const one = new Negotiation({
    participant,
    leg,
    negotiate: async ({ onCandidate }) => {
      for (let nth = 0; nth < 100_000; nth += 1) onCandidate(candidate(`${nth}`));
      return { answer: 'answer', addCandidate: async () => undefined };
    },
    signal: new AbortController().signal,
    renegotiate: () => Promise.reject(new Error('no page')),
    toPage: () => {
      shown += 1;
    },
    onRefusal: (refusal) => refusals.push(refusal),
  });
  await one.offer('offer');
  expect(shown).toBe(250);
  expect(refusals).toEqual([
    { code: 'refused', detail: 'the media server sent more than 250 as candidates of one leg' },
  ]);
});

test('a description that is too long for a browser is refused, as the fault of who sent it', async () => {
  const answer = 'v'.repeat(10_000_000);
  const one = negotiation(Promise.resolve({ answer, addCandidate: async () => undefined }));
  expect(await one.offer('offer')).toEqual({
    ok: false,
    code: 'refused',
    detail: expect.stringContaining('a description of 10000000 characters'),
  });
});

test('a candidate that the server does not take is counted against the probe', async () => {
  const refusals: unknown[] = [];
  const refusing = { answer: 'answer', addCandidate: () => Promise.reject(new Error('unknown endpoint')) };
  const one = negotiation(Promise.resolve(refusing), refusals);
  await one.offer('offer');
  one.candidate(candidate('first'));
  await expect
    .poll(() => refusals)
    .toEqual([{ code: 'refused', detail: 'a candidate was not taken: Error: unknown endpoint' }]);
});

for (const [code, name] of [
  ['E_SERVER_REFUSED', 'refused'],
  ['E_SERVER_TIMEOUT', 'signalling-timeout'],
  ['E_SERVER_LOST', 'server-lost'],
  ['E_SERVER_UNREACHABLE', 'server-lost'],
] as const) {
  test(`a negotiation that ends with ${code} is the failure ${name}, in the server's words`, () => {
    const error = new LoadlineError(code, 'The endpoint was refused.', { why: 'Insufficient resources' });
    expect(refusalOf(error)).toEqual({ code: name, detail: 'The endpoint was refused. Insufficient resources' });
  });
}

const failure = (atMs: number): ProbeFailure => ({ probe: '1a', code: 'no-media', atMs, detail: 'no video' });

test('a failed probe never comes up, and its first failure is the one that counts', () => {
  const events: TrialEvent[] = [];
  const ledger = new ProbeLedger([participant], [{ browser: 0, page: 3 }], (event) => events.push(event));
  ledger.failed(failure(5));
  ledger.up('1a', 6);
  ledger.failed({ ...failure(7), code: 'disconnected' });
  expect(ledger.records()).toMatchObject([{ up: false, page: 3, failures: [{ code: 'no-media', atMs: 5 }] }]);
  expect(events.map(({ type }) => type)).toEqual(['probe-failed']);
});

test('a probe that falls after it was up stays recorded as up, with its failure', () => {
  const ledger = new ProbeLedger([participant], [{ browser: 0, page: 0 }], () => undefined);
  ledger.reached('1a', { answerMs: 50 });
  ledger.reached('1a', { answerMs: 50, iceConnectedMs: 90 });
  ledger.up('1a', 6);
  ledger.failed({ ...failure(9), code: 'disconnected' });
  expect(ledger.records()[0]).toMatchObject({
    up: true,
    join: { answerMs: 50, iceConnectedMs: 90 },
    failures: [{ code: 'disconnected' }],
  });
});

test('a join is settled when each probe is up or has failed, and not before', async () => {
  const two = [participant, { ...participant, id: '1b' }];
  const ledger = new ProbeLedger(two, [], () => undefined);
  let settled = false;
  const done = ledger.allSettled().then(() => {
    settled = true;
  });
  ledger.up('1a', 1);
  await Promise.resolve();
  expect([settled, ledger.unsettled()]).toEqual([false, ['1b']]);
  ledger.failed({ ...failure(2), probe: '1b' });
  await done;
  expect(ledger.unsettled()).toEqual([]);
});

test("the page's answer goes to a server that made the offer, and then the page's candidates do, in order", async () => {
  const got: string[] = [];
  const one = new Negotiation({
    participant,
    leg,
    negotiate: () => Promise.reject(new Error('the server offers')),
    begin: async () => ({
      by: 'server',
      offer: 'offer',
      places: [{ mid: '0', stream: '2b' }],
      answer: async (answer) => void got.push(answer),
      addCandidate: async (what) => void got.push(what.candidate),
    }),
    renegotiate: () => Promise.reject(new Error('no page')),
    signal: new AbortController().signal,
    toPage: () => undefined,
    onRefusal: () => undefined,
  });
  const first = { by: 'server', offer: 'offer', places: [{ mid: '0', stream: '2b' }] };
  expect(await one.begin()).toEqual({ ok: true, first });
  one.candidate(candidate('early'));
  expect(await one.answered('answer')).toEqual({ ok: true, taken: true });
  one.candidate(candidate('late'));
  expect(got).toEqual(['answer', 'early', 'late']);
});

test('the page is told when its candidates are wanted, and ICE servers that come with the answer go to it', async () => {
  const iceServers = [{ urls: ['turn:10.0.0.5:3478'], username: 'u', credential: 'c' }];
  const begun = (candidates: CandidateTiming) =>
    new Negotiation({
      participant,
      leg,
      negotiate: async () => ({ answer: 'answer', iceServers, addCandidate: async () => undefined }),
      begin: async () => ({ by: 'probe', candidates }),
      renegotiate: () => Promise.reject(new Error('no page')),
      signal: new AbortController().signal,
      toPage: () => undefined,
      onRefusal: () => undefined,
    });
  for (const candidates of ['after-the-answer', 'in-one-message'] as const) {
    const one = begun(candidates);
    expect(await one.begin()).toEqual({ ok: true, first: { by: 'probe', candidates } });
    expect(await one.offer('offer')).toEqual({ ok: true, answer: 'answer', iceServers });
  }
});

/** Calls of the page for one participant on a server that offers again when it is told to. */
function callsWith(
  answerOfPage: string | null,
  events: TrialEvent[],
  first: ProbeOffers | ServerOffers = { by: 'probe' },
) {
  const asked: LegRequest[] = [];
  const nothing = () => undefined;
  const event = (one: TrialEvent) => void events.push(one);
  const joining = {
    negotiate: () => Promise.reject(new Error('the server offers')),
    begin: async (request: LegRequest) => {
      asked.push(request);
      return first;
    },
    signal: new AbortController().signal,
  };
  const calls = new ProbeCalls(
    {
      ...{ participants: [participant], joining, ledger: new ProbeLedger([participant], [], event) },
      ...{ host: { event, samples: nothing, artifacts: nothing }, hears: () => nothing },
    },
    { toPage: nothing, offerToPage: async () => answerOfPage },
  );
  return { calls, asked };
}

test('a further offer goes to the page and its answer back, and who has left by it is told among the events', async () => {
  const events: TrialEvent[] = [];
  const { calls, asked } = callsWith('answer', events);
  await calls.answer({ call: 'begin', probe: '1a', leg: '1a' });
  const [request] = asked;
  expect(await request?.renegotiate({ offer: 'one more' })).toBe('answer');
  expect(events).toEqual([]);
  expect(await request?.renegotiate({ offer: 'one less', ended: ['2b'] })).toBe('answer');
  const text = 'The server said that 2b had left 1a (leg 1a): not judged until it is back.';
  expect(events).toMatchObject([{ type: 'warning', text }]);
});

test('nobody is told of who goes first while all leave', async () => {
  const events: TrialEvent[] = [];
  const { calls, asked } = callsWith('answer', events);
  await calls.answer({ call: 'begin', probe: '1a', leg: '1a' });
  calls.leave();
  expect(await asked[0]?.renegotiate({ offer: 'one less', ended: ['2b'] })).toBe('answer');
  expect(events).toEqual([]);
});

test('a source that is missing from the first offer on is told as well', async () => {
  const events: TrialEvent[] = [];
  const none = async () => undefined;
  const { calls } = callsWith('answer', events, {
    by: 'server',
    offer: 'o',
    ended: ['2b'],
    answer: none,
    addCandidate: none,
  });
  expect(await calls.answer({ call: 'begin', probe: '1a', leg: '1a' })).toMatchObject({ ok: true });
  expect(events).toHaveLength(1);
});

test('a further offer that the page cannot apply is refused to the server, and nobody has left by it', async () => {
  const events: TrialEvent[] = [];
  const { calls, asked } = callsWith(null, events);
  await calls.answer({ call: 'begin', probe: '1a', leg: '1a' });
  await expect(asked[0]?.renegotiate({ offer: 'odd', ended: ['2b'] })).rejects.toThrow('could not be applied');
  expect(events).toEqual([]);
});
