import type { LineSender } from './line-sender.js';

/** The last line about a copy: what became of every point. */
export function accountText(description: string, { account, refused }: LineSender): string {
  const { given, written, resent, lost } = account;
  const again = resent === 0 ? '' : `, ${resent} of them sent more than once`;
  const gone = lost === 0 ? '' : `; ${lost} lost${refused === undefined ? '' : ` (${refused})`}`;
  const remedy = lost === 0 ? '' : '. loadline export RUN --influx URL fills in what is missing.';
  return `${description}: ${written} of ${given} points written${again}${gone}${remedy}`;
}
