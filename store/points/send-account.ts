import type { PointSink } from './point-sink.js';

/** The last line about a copy: what became of every point. `again` is the command that fills in what is missing. */
export function accountText(
  { description, account, refused, remark, accountText: own }: Omit<PointSink, 'add' | 'room' | 'close'>,
  again: string,
): string {
  if (own !== undefined) return remark === undefined ? own : `${own}; ${remark}`;
  const { given, written, resent, lost } = account;
  const sentAgain = resent === 0 ? '' : `, ${resent} of them sent more than once`;
  const gone = lost === 0 ? '' : `; ${lost} lost${refused === undefined ? '' : ` (${refused})`}`;
  const more = remark === undefined ? '' : `; ${remark}`;
  const remedy = lost === 0 ? '' : `. ${again} fills in what is missing.`;
  return `${description}: ${written} of ${given} points written${sentAgain}${gone}${more}${remedy}`;
}
