import { isAway, type Sample, type StreamSample } from '../../model/sample.js';
import { type MediaSource, type Participant, sourceOfStream } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';

/**
 * Long form: one line for each metric of each stream in each second (RFC 4180, `\n` between lines). `stream` is empty
 * where a leg has one stream of the kind; `from` is the participant who sent what was received, or `mix`. `in_window`
 * is 0 of a stream that is away: nothing of it is judged in that second.
 */
export const csvHead =
  'trial,size,probe,session,role,at_ms,interval_ms,late_ms,in_window,leg,direction,kind,metric,value,stream,from\n';

/**
 * Makes lines of the samples of one trial. What was not measured has no line: absent is never zero. Names and round
 * trips of a stored run are whatever stands in it.
 */
export function csvLinesOf(record: TrialRecord): (sample: Sample) => string {
  const participants = new Map(record.probes.map(({ participant }) => [participant.id, participant]));
  const { window } = record;
  return ({ probe, atMs, intervalMs, lateMs, legs, streams }) => {
    const participant = participants.get(probe);
    const isIn = window !== undefined && atMs - intervalMs >= window.startMs && atMs <= window.endMs;
    const ofSample = [record.index, record.size, probe, participant?.session ?? '', participant?.role ?? '']
      .concat([atMs, intervalMs, lateMs])
      .map((value) => csvCell(String(value)))
      .join(',');
    const head = `${ofSample},${isIn ? 1 : 0}`;
    let lines = '';
    for (const leg of legs) {
      if (leg.rttMs !== undefined) lines += `${head},${csvCell(leg.leg)},,,legRttMs,${csvCell(String(leg.rttMs))},,\n`;
    }
    for (const one of streams) {
      const what = `${isAway(one) ? `${ofSample},0` : head},${csvCell(one.leg)},${one.direction},${one.kind}`;
      const whose = `${csvCell(one.stream ?? '')},${csvCell(senderOf(participant, one))}`;
      for (const [name, value] of Object.entries(one.metrics)) lines += `${what},${csvCell(name)},${value},${whose}\n`;
    }
    return lines;
  };
}

function senderOf(participant: Participant | undefined, { leg: id, direction, kind, stream }: StreamSample): string {
  const leg = participant?.legs.find((one) => one.id === id);
  const source: MediaSource | undefined =
    leg && direction === 'receive' ? sourceOfStream(leg, kind, stream) : undefined;
  if (source === undefined) return '';
  return 'mix' in source ? 'mix' : source.participant;
}

/** One line of CSV (RFC 4180): what holds a comma, a quote or a line break stands in quotes. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\n`;
}

/** A cell that begins like a formula would be one in a spreadsheet; a number that is negative is none. */
export function csvCell(text: string): string {
  const inert = /^[=+@\t\r-]/.test(text) && !/^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
