import { groupedBy } from '../../model/grouped.js';
import { answerOf, type RunEntry } from '../../model/monitor.js';

/** The runs of an hour of a day, in UTC. */
export interface CalendarCell {
  readonly hour: number;
  readonly runs: readonly RunEntry[];
  readonly stable: number;
  /** Or with a limit below the one required. */
  readonly unstable: number;
  /** Void or failed. */
  readonly unanswered: number;
}

interface CalendarDay {
  /** "2026-11-21". */
  readonly date: string;
  readonly cells: readonly CalendarCell[];
}

/** Every day from the first run to the last, days without a run included; at most `mostDays`, the newest. */
export function calendarOf(runs: readonly RunEntry[], mostDays = 366): CalendarDay[] {
  const first = runs[0];
  const last = runs.at(-1);
  if (!first || !last) return [];
  const byHour = groupedBy(runs, ({ startedAtMs }) => new Date(startedAtMs).toISOString().slice(0, 13));
  const dayMs = 86_400_000;
  const end = Math.floor(last.startedAtMs / dayMs);
  const start = Math.max(Math.floor(first.startedAtMs / dayMs), end - mostDays + 1);
  return Array.from({ length: end - start + 1 }, (_, index) => {
    const date = new Date((start + index) * dayMs).toISOString().slice(0, 10);
    return {
      date,
      cells: Array.from({ length: 24 }, (__, hour) =>
        cellOf(hour, byHour.get(`${date}T${String(hour).padStart(2, '0')}`) ?? []),
      ),
    };
  });
}

function cellOf(hour: number, runs: readonly RunEntry[]): CalendarCell {
  const count = (answer: ReturnType<typeof answerOf>) => runs.filter(({ mark }) => answerOf(mark) === answer).length;
  return { hour, runs, stable: count('good'), unstable: count('bad'), unanswered: count('none') };
}

/** `#` every run stable, `x` some unstable, `?` no answer, `.` no run. */
export function cellMark({ runs, unstable, stable }: CalendarCell): string {
  if (runs.length === 0) return '.';
  if (unstable > 0) return 'x';
  return stable > 0 ? '#' : '?';
}
