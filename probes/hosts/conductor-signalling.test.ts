import { expect, test } from '@playwright/test';
import type { Participant } from '../../model/scenario.js';
import type { Negotiated } from '../../model/signalling.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { MemoryBus } from '../../tests/memory-bus.js';
import { soon } from '../../tests/soon.js';
import { stillHeld } from '../../tests/still-held.js';
import { allowedAll } from '../allowed.js';
import { ConductorSignalling } from './conductor-signalling.js';
import { SignalRelay } from './signal-relay.js';
import { signalSubject } from './subjects.js';
import { signalReply } from './wire.js';

const participants = oneToOne.sessions(2).flatMap((session) => session.participants);
const never = new AbortController().signal;
const candidate = { candidate: 'candidate:1', sdpMid: '0', sdpMLineIndex: 0 };
const of = (probe: string) => ({ probe, leg: probe });

/** Hands over what is made, and keeps no hold of it. */
function handingOver() {
  const made: WeakRef<Negotiated>[] = [];
  const took: string[] = [];
  const give = (id: string): Negotiated => {
    const agreed = { answer: 'yes', addCandidate: async () => void took.push(id) };
    made.push(new WeakRef(agreed));
    return agreed;
  };
  return { made, took, give };
}

test('of who has left the conductor keeps nothing, and of who is there what it needs', async () => {
  const { made, took, give } = handingOver();
  const negotiate = async ({ participant }: { readonly participant: Participant }) => give(participant.id);
  const order = async () => ({ ok: true }) as const;
  const signalling = new ConductorSignalling({ trial: 't', participants, negotiate, order, signal: never });
  for (const id of ['1a', '1b']) await signalling.answer({ ask: 'negotiate', ...of(id), offer: 'v=0' });

  signalling.haveLeft(['1a']);

  await soon(() => stillHeld(made)).toEqual([false, true]);
  for (const id of ['1a', '1b']) await signalling.answer({ ask: 'candidate', ...of(id), candidate });
  expect(took).toEqual(['1b']);
});

test('what one who has left still waits for can be called off, and then nothing of it is kept', async () => {
  const { made, give } = handingOver();
  const calledOff: string[] = [];
  const negotiate = ({ participant: { id }, signal }: { readonly participant: Participant; signal: AbortSignal }) =>
    new Promise<Negotiated>((resolve) => {
      const end = () => {
        calledOff.push(id);
        resolve(give(id));
      };
      signal.addEventListener('abort', end, { once: true });
    });
  const order = async () => ({ ok: true }) as const;
  const signalling = new ConductorSignalling({ trial: 't', participants, negotiate, order, signal: never });
  const answer = signalling.answer({ ask: 'negotiate', ...of('2a'), offer: 'v=0' });

  signalling.haveLeft(['2a']);
  await signalling.answer({ ask: 'called-off', ...of('2a') });

  expect(calledOff).toEqual(['2a']);
  expect(await answer).toMatchObject({ ok: true, answer: 'yes' });
  await soon(() => stillHeld(made)).toEqual([false]);
});

test('what a beginning waited for others’ pages is told to the host, and is no part of the server’s', async () => {
  const waitedMs = 1e9;
  const begin = async () => ({ by: 'probe', waitedMs }) as const;
  const negotiate = async () => ({ answer: 'yes', addCandidate: async () => undefined });
  const order = async () => ({ ok: true }) as const;
  const signalling = new ConductorSignalling({ trial: 't', participants, negotiate, begin, order, signal: never });

  const reply = await signalling.answer({ ask: 'begin', ...of('1a') });

  expect(signalReply.parse(reply)).toMatchObject({ first: { waitedMs } });
  expect(signalling.servedMs('1a')).toBe(0);
});

test('of who has left a host keeps nothing of what the media server may still say to it', async () => {
  const bus = new MemoryBus().client();
  const address = { instance: 'host-0', name: 'a' };
  bus.answer(signalSubject('lease', address), async () => JSON.stringify({ ok: true, answer: 'yes' }));
  const relay = new SignalRelay({
    ...{ bus, lease: 'lease', address, trial: 't', allowed: allowedAll, signal: never },
    onForbidden: () => undefined,
    speakerOf: async () => undefined,
  });
  const ears: WeakRef<object>[] = [];
  const heard: string[] = [];
  for (const participant of participants.slice(0, 2)) {
    const [leg] = participant.legs;
    if (!leg) throw new Error('no leg');
    const onCandidate = () => void heard.push(participant.id);
    ears.push(new WeakRef(onCandidate));
    await relay.negotiate({ participant, leg, offer: 'v=0', onCandidate, signal: never });
  }

  relay.haveLeft(['1a']);

  await soon(() => stillHeld(ears)).toEqual([false, true]);
  for (const leg of ['1a', '1b']) relay.candidate(leg, candidate);
  expect(heard).toEqual(['1b']);
});
