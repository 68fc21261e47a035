import { setMaxListeners } from 'node:events';
import { unlessAborted } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ArrivedJoin } from '../../model/join.js';
import { localHostId, type ProbeHost } from '../../model/probe-host.js';
import type { Leg, Participant } from '../../model/scenario.js';
import { endOfCandidates, type ProbeOffers, type ServerOffers } from '../../model/signalling.js';
import type { ProbeRecord } from '../../model/trial.js';
import { areComing, ComingAndGoing, type DueParticipant, type FleetClock } from '../coming-and-going.js';
import type { Fleet, JoinOptions, StartFleet } from '../fleet.js';
import { type NegotiationRefusal, refusalOf } from '../refusal.js';
import { offerOf, onlyCandidate } from './offer.js';

/**
 * Participants that speak the server's signalling and send no media: they are due, offer, are answered, stay, and
 * leave. All of them are this process, so that a core plays thousands. None of them is ever up, for nothing connects:
 * they are told as joins, and not as probes.
 */
export function signallingFleets(clock: FleetClock, readHost: () => Promise<ProbeHostReading | undefined>): StartFleet {
  return () => new SignallingFleet(clock, readHost);
}

class SignallingFleet implements Fleet {
  private readonly coming: ComingAndGoing;

  constructor(
    clock: FleetClock,
    private readonly readHost: () => Promise<ProbeHostReading | undefined>,
  ) {
    this.coming = new ComingAndGoing(clock, { join: joinAlone });
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    if (!areComing(options)) throw new LoadlineError('E_INTERNAL', 'Who signals alone comes and goes.');
    return this.coming.join(participants, options);
  }

  hosts(): readonly ProbeHost[] {
    return [{ id: localHostId, besideConductor: true }];
  }

  /** None is a probe. */
  records(): readonly ProbeRecord[] {
    return [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const reading = await this.readHost();
    return reading ? [reading] : [];
  }

  leave(): Promise<void> {
    return this.coming.leave();
  }

  close(): Promise<void> {
    return this.coming.close();
  }
}

/** How far a leg has come. */
interface Reached {
  createdMs?: number;
  answeredMs?: number;
  trickledMs?: number;
}

/** All legs of one participant together, as browsers join. Never rejects: its result says what went wrong. */
async function joinAlone(due: DueParticipant): Promise<ArrivedJoin> {
  const { participant, dueMs, nowMs } = due;
  const begunMs = nowMs();
  const patience = patienceOf(due);
  const reached: readonly Reached[] = due.legs.map(() => ({}));
  const told = () => ({
    participant: participant.id,
    session: participant.session,
    dueMs,
    begunMs,
    ...lastOf(reached),
  });
  try {
    const legs = due.legs.map((leg, index) => joinLeg(leg, due, reached[index] ?? {}, patience.signal));
    await unlessAborted(patience.signal, Promise.all(legs));
    return { ...told(), endedMs: nowMs() };
  } catch (error) {
    return { ...told(), endedMs: nowMs(), failure: failureOf(error, due, patience.isOver()) };
  } finally {
    patience.close();
  }
}

/** A participant has come as far as the last of its legs. */
function lastOf(legs: readonly Reached[]): Reached {
  const steps = ['createdMs', 'answeredMs', 'trickledMs'] as const;
  const times = steps.map((step) => [step, legs.flatMap((leg) => leg[step] ?? [])] as const);
  return Object.fromEntries(
    times.filter(([, all]) => all.length === legs.length).map(([step, all]) => [step, Math.max(...all)]),
  );
}

async function joinLeg(leg: Leg, due: DueParticipant, reached: Reached, signal: AbortSignal): Promise<void> {
  const { participant, options, nowMs } = due;
  const { begin, negotiate } = options;
  const onCandidate = () => undefined;
  const renegotiate = () => Promise.reject(onlyOffers(leg));
  const asked = await begin?.({ participant, leg, onCandidate, renegotiate, signal });
  const first: ProbeOffers | ServerOffers = asked ?? { by: 'probe' };
  reached.createdMs = nowMs();
  if (first.by === 'server') throw onlyOffers(leg);
  const agreed = await negotiate({ participant, leg, offer: offerOf(leg, first.candidates), onCandidate, signal });
  reached.answeredMs = nowMs();
  const all = first.takesEnd ? [onlyCandidate, endOfCandidates] : [onlyCandidate];
  if (first.candidates !== 'in-one-message') await Promise.all(all.map((one) => agreed.addCandidate(one)));
  reached.trickledMs = nowMs();
}

function onlyOffers({ id }: Leg): LoadlineError {
  const text = `The media server makes offers to ${id}, and participants without media answer none.`;
  return new LoadlineError('E_SERVER_REFUSED', text, { where: id });
}

/** Counted from when it was due: how late the generator is shortens what it waits, and shows elsewhere. */
function patienceOf({ dueMs, options, clock, nowMs, signal }: DueParticipant) {
  const late = new AbortController();
  const done = new AbortController();
  const both = AbortSignal.any([signal, late.signal]);
  setMaxListeners(0, both);
  void clock.sleep(Math.max(0, dueMs + options.deadlineMs - nowMs()), AbortSignal.any([signal, done.signal])).then(
    () => late.abort(),
    () => undefined,
  );
  return { signal: both, isOver: () => late.signal.aborted, close: () => done.abort() };
}

function failureOf(error: unknown, { options, signal }: DueParticipant, isLate: boolean): NegotiationRefusal {
  if (isLate) return { code: 'signalling-timeout', detail: `no answer in ${options.deadlineMs / 1000} s` };
  if (signal.aborted) return { code: 'aborted', detail: 'the trial ended' };
  return refusalOf(error);
}
