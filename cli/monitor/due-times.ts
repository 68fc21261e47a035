import { Cron } from 'croner';
import { messageOf } from '../../model/errors.js';

/** Next time a cron expression is due, strictly after a moment; undefined if never. Time zones are croner's. */
export function nextDueMs(expression: string, zone: string | undefined, afterMs: number): number | undefined {
  const cron = new Cron(expression, zone === undefined ? {} : { timezone: zone });
  return cron.nextRun(new Date(afterMs))?.getTime();
}

/** Every due time after one moment and not after another, oldest first; at most a thousand, the newest. */
export function dueBetween(expression: string, zone: string | undefined, afterMs: number, toMs: number): number[] {
  const due: number[] = [];
  for (let next = nextDueMs(expression, zone, afterMs); next !== undefined && next <= toMs; ) {
    due.push(next);
    if (due.length > 1000) due.shift();
    next = nextDueMs(expression, zone, next);
  }
  return due;
}

/** What is wrong with a cron expression, as the end of a sentence; undefined when nothing is. */
export function cronProblem(expression: string): string | undefined {
  try {
    // Six fields would be seconds: a run takes longer than that.
    if (expression.trim().split(/\s+/).length !== 5 && !expression.startsWith('@')) {
      return 'must have five fields: minute, hour, day, month, weekday';
    }
    if (new Cron(expression).nextRun() === null) return 'is never due';
    return undefined;
  } catch (error) {
    return `must be a cron expression: "*/15 * * * *" (${messageOf(error)})`;
  }
}
