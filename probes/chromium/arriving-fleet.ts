import { atMost } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeHost } from '../../model/probe-host.js';
import { isSending, type Participant } from '../../model/scenario.js';
import type { FleetEvent, ProbeRecord } from '../../model/trial.js';
import { ComingAndGoing, type DueParticipant, type FleetClock } from '../coming-and-going.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import type { Loss } from './browser-set.js';
import { failLost, failUnsettled, notAnswering, startProbe, type Trial, tooEarly } from './fleet-trial.js';
import { HeardJoins, neverCame } from './heard-joins.js';
import { LeftProbes } from './left-probes.js';
import { openTrial } from './open-trial.js';
import { OwnHost } from './own-host.js';
import { PageDeal } from './page-deal.js';
import { ProbeLedger } from './probe-ledger.js';
import type { ReadableClips } from './readable-clips.js';

const leaveBoundMs = 5_000;
const hangUpBoundMs = 2_000;

/** Headless Chromium on this machine, whose pages are used again by participants who come and go within the trial. */
export function arrivingChromiumFleets(clock: FleetClock, open = openTrial): StartFleet {
  return (options, listener) => new ArrivingFleet(clock, open, options, listener);
}

interface Played {
  readonly trial: Trial;
  readonly deal: PageDeal;
}

class ArrivingFleet implements Fleet {
  private readonly host: OwnHost;
  private readonly crowd: ComingAndGoing;
  private readonly clips: ReadableClips[] = [];
  private readonly joins = new HeardJoins();
  /** Of those who are on a page now. */
  private readonly pageOf = new Map<string, number>();
  private readonly gone = new LeftProbes();
  private residents: ReadonlySet<string> = new Set();
  private played: Played | undefined;
  private closing: Promise<void> | undefined;
  private left = false;

  constructor(
    clock: FleetClock,
    private readonly open: typeof openTrial,
    private readonly options: FleetOptions,
    listener: FleetListener,
  ) {
    this.host = new OwnHost(options.host, {
      onSamples: (samples) => listener.onSamples(this.gone.without(samples)),
      onEvent: (event) => listener.onEvent(event),
      onArtifacts: (artifacts) => listener.onArtifacts?.(artifacts),
    });
    this.crowd = new ComingAndGoing(clock, {
      join: (due) => this.play(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async standBy(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const { arriving, signal } = options;
    const { probesPerPage, pagesPerBrowser, encoded } = this.options;
    const stays = (one: Participant) => arriving?.partyOf(one) === undefined;
    const residents = participants.filter(stays);
    this.residents = new Set(residents.map(({ id }) => id));
    const deal = new PageDeal({
      ...{ residents: residents.length, atOnce: arriving?.atOnce(participants) ?? 1, probesPerPage, pagesPerBrowser },
      encoded: encoded !== undefined && encoded.fullShare < 1,
    });
    const ledger = new ProbeLedger(participants, [], (event) => this.settle(event));
    const comersSend = participants.some((one) => !stays(one) && isSending(one));
    const residentsSend = residents.some(isSending);
    const pages = Array.from({ length: deal.pages }, (_, page) => page);
    const trial = await this.open(this.options, {
      ...{ participants, layout: deal, ledger, joining: options, pageOf: this.pageOf, host: this.host },
      haveLeft: () => this.left,
      sendingPages: new Set(pages.filter((page) => (page < deal.firstForComers ? residentsSend : comersSend))),
      hears: (call) => this.joins.hear(call),
      onClips: (clips) => void this.clips.push(clips),
      onLost: (loss) => this.recordLoss(loss),
    });
    this.played = { trial, deal };
    signal.throwIfAborted();
    const lacking = await trial.browsers.launch(deal.browsers, deal.pages);
    if (lacking) {
      failUnsettled(trial, 'browser-start', lacking.message);
      return trial.browsers.close();
    }
    signal.throwIfAborted();
    this.host.watch(trial.browsers.roots());
  }

  join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    return this.crowd.join(participants, options);
  }

  hosts(): readonly ProbeHost[] {
    return this.host.hosts();
  }

  records(): readonly ProbeRecord[] {
    return this.played?.trial.ledger.records() ?? [];
  }

  readHosts(): Promise<readonly ProbeHostReading[]> {
    return this.host.read();
  }

  async leave(): Promise<void> {
    await this.crowd.leave();
    await this.played?.trial.browsers.leave(leaveBoundMs);
    this.left = true;
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.left = true;
    await this.played?.trial.browsers.close();
    await this.crowd.close();
    await Promise.all(this.clips.map((clips) => clips.close()));
    failUnsettled(this.played?.trial, ...tooEarly);
  }

  private async play(due: DueParticipant): Promise<ArrivedJoin> {
    const { participant, options } = due;
    const { played } = this;
    if (!played) return neverCame(due, { code: 'browser-start', detail: 'no browser is there' });
    const { trial, deal } = played;
    const never = trial.ledger.failureOf(participant.id);
    if (never) return neverCame(due, never);
    const place = deal.take(options.arriving?.partyOf(participant) === undefined);
    this.pageOf.set(participant.id, place.page);
    return this.joins.play(due, {
      ledger: trial.ledger,
      host: this.host.id,
      place,
      start: (order) => startProbe(trial, order),
      giveUp: (probe) => notAnswering(trial, probe),
    });
  }

  /** Closes their connections on pages where others go on. */
  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const { played } = this;
    if (!played) return;
    const { trial, deal } = played;
    const pages = new Map<number, string[]>();
    for (const id of probes) {
      const page = this.pageOf.get(id);
      if (page === undefined) continue;
      this.gone.leaves(id, outMs);
      trial.ledger.leaves(id, outMs);
      pages.set(page, [...(pages.get(page) ?? []), id]);
    }
    const closing = [...pages].map(([page, ids]) => trial.browsers.page(page)?.hangUp(ids));
    await atMost(hangUpBoundMs, Promise.allSettled(closing));
    for (const [page, ids] of pages) {
      for (const id of ids) {
        trial.calls.forget(id);
        this.pageOf.delete(id);
        deal.give(page);
      }
    }
  }

  private settle(event: FleetEvent): void {
    this.joins.settle(event, this.played?.trial.ledger, (probe) => this.residents.has(probe));
    this.host.event(event);
  }

  /** Those who were on its pages before are gone, and lose nothing with it. */
  private recordLoss(loss: Loss): void {
    if (!this.played) return;
    const probes = [...this.pageOf].flatMap(([id, page]) => (loss.pages.includes(page) ? id : []));
    failLost(this.played.trial, loss, probes, (event) => this.host.event(event));
  }
}
