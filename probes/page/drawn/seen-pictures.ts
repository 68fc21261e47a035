import { drawnRangeMs, leastMs, withTimes } from '../../../model/clock-times.js';
import type { ReceiveStreamSample, StreamSample } from '../../../model/sample.js';
import { TimesByClock } from '../times-by-clock.js';
import type { DrawnMark } from './drawn-mark.js';

/** One look at a picture. */
export interface Look {
  readonly marks: readonly DrawnMark[];
  readonly isMix: boolean;
  readonly isOneColour: boolean;
  readonly shownMs: number;
  /** How many frames have been shown so far. */
  readonly presented: number;
  /** Whose picture is to come; absent: nobody's in particular. */
  readonly expected: number | undefined;
  takenMs(mark: DrawnMark): number;
}

/** A stranger has to be seen so often in a row: what came before a section changed hands is still on its way. */
const strangerLooks = 3;
/** A picture stands still when so many frames have been shown since, all with the mark of the look before. */
const stillFrames = 3;
/** A time that is later by so much may be misread: it counts from the second in a row on. */
const surelyMs = 14_000;

/** What looks at one received picture have found since they were taken before. */
export class SeenPictures {
  private read = 0;
  private blank = 0;
  private still = 0;
  private marked = 0;
  private foreign = 0;
  private foreignSender: number | undefined;
  private readonly shown: TimesByClock;
  private who = new Map<number, number>();
  private wasMarked = false;
  private hasOneSource = false;
  private isMix = false;
  /** By sender. */
  private readonly lastMs = new Map<number, number>();
  private last: Pick<Look, 'marks' | 'presented'> | undefined;
  private stranger: { readonly sender: number; looks: number } | undefined;

  /** @param clock of this host, as marks have it */
  constructor(private readonly clock: number) {
    this.shown = new TimesByClock(clock, leastMs.shown);
  }

  note(look: Look): void {
    const { marks, isMix, isOneColour, expected } = look;
    this.read += 1;
    this.isMix = isMix;
    this.hasOneSource = expected !== undefined;
    if (isOneColour) this.blank += 1;
    if (marks.length > 0) {
      this.wasMarked = true;
      this.marked += 1;
    }
    for (const { sender } of marks) this.who.set(sender, (this.who.get(sender) ?? 0) + 1);
    if (expected !== undefined) this.compare(marks[0]?.sender, expected);
    this.compareWithLast(look);
    for (const mark of marks) this.time(look, mark);
    this.last = look;
  }

  private compare(sender: number | undefined, expected: number): void {
    if (sender === undefined) return;
    if (sender === expected) this.stranger = undefined;
    else {
      this.stranger = { sender, looks: this.stranger?.sender === sender ? this.stranger.looks + 1 : 1 };
      if (this.stranger.looks < strangerLooks) return;
      this.foreign += 1;
      this.foreignSender = sender;
    }
  }

  private compareWithLast({ marks, presented }: Look): void {
    const { last } = this;
    if (!last || presented - last.presented < stillFrames) return;
    const isAsBefore = marks.some((mark) =>
      last.marks.some(({ sender, tick }) => sender === mark.sender && tick === mark.tick),
    );
    if (isAsBefore) this.still += 1;
  }

  private time({ shownMs, takenMs }: Look, mark: DrawnMark): void {
    const isOwn = mark.clock === this.clock;
    const before = this.lastMs.get(mark.sender);
    const told = shownMs - takenMs(mark);
    const further = told - (before ?? told);
    // Another clock may be ahead by any part of the range: of two times in a row the nearest to each other are meant.
    const ms = isOwn ? told : told - drawnRangeMs * Math.round(further / drawnRangeMs);
    this.lastMs.set(mark.sender, ms);
    const isAsBefore = before !== undefined && Math.abs(ms - before) < surelyMs;
    if (isAsBefore || (isOwn && ms <= surelyMs)) this.shown.add(mark.clock, ms);
  }

  /** Puts what was found into the sample of its stream, and begins anew. Of one that is not known nothing is. */
  take(): (stream: StreamSample) => StreamSample {
    const { read, blank, still, marked, foreign, foreignSender, who } = this;
    const { wasMarked, hasOneSource, isMix } = this;
    const shown = this.shown.take();
    Object.assign(this, { read: 0, blank: 0, still: 0, marked: 0, foreign: 0 });
    this.foreignSender = undefined;
    this.who = new Map();
    return (stream) => {
      if (stream.direction !== 'receive' || stream.metrics.framesDecoded === undefined || read === 0) return stream;
      const metrics: ReceiveStreamSample['metrics'] = {
        ...stream.metrics,
        picturesRead: read,
        blankPictures: blank,
        ...(wasMarked ? { stillPictures: still, markedFrames: marked, unmarkedFrames: read - marked } : {}),
        ...(wasMarked && hasOneSource ? { foreignFrames: foreign } : {}),
      };
      const seen = isMix && who.size > 0 ? { seen: [...who] } : {};
      const told = { ...stream, metrics, ...seen, ...(foreignSender === undefined ? {} : { foreignSender }) };
      return withTimes(told, 'shown', shown);
    };
  }
}
