import { randomBytes } from 'node:crypto';
import { groupedBy } from '../../model/grouped.js';
import type { Players } from '../../model/players.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { afterLastOfSession, startSchedule } from '../schedule.js';
import { visitSeats } from '../visit-seats.js';
import type { JoinOrder } from './wire.js';

/** What hosts are told of a trial in which a web app is visited, each of its own participants; else nothing. */
export function visitOrders(
  players: Players,
  app: string | undefined,
  records: readonly ProbeRecord[],
): (own: readonly Participant[]) => Pick<JoinOrder, 'pages'> {
  if (players.kind !== 'visiting' || app === undefined) return () => ({});
  const { block = [], painted = false, encoded = false } = players;
  const trial = randomBytes(3).toString('hex');
  const seats = visitSeats(records.map(({ participant }) => participant));
  return (own) => ({
    pages: {
      ...{ app, trial, block: [...block], painted, encoded },
      seats: Object.fromEntries(own.map(({ id }) => [id, seats[id] ?? { nth: 0, index: 0 }])),
    },
  });
}

/** When each participant starts, and how long it waits for others. */
export const scheduleFor = ({ kind }: Players) => (kind === 'visiting' ? afterLastOfSession : startSchedule);

/**
 * Members of one room may be on different hosts, each of which knows when its own were connected. All began at one
 * moment by the schedule, so what a member waits for is known here: the last other one that was connected.
 */
export function afterOthersConnected(records: readonly ProbeRecord[], pacePerSecond: number): readonly ProbeRecord[] {
  const schedule = afterLastOfSession(
    records.map(({ participant }) => participant),
    pacePerSecond,
  );
  const began = records.map(({ join }, nth) => (schedule[nth]?.startMs ?? 0) + (join.startedLateMs ?? 0));
  const connected = records.map(({ join, participant: { session } }, nth) => {
    const afterMs = join.dtlsConnectedMs ?? join.iceConnectedMs;
    return { session, nth, atMs: afterMs === undefined ? undefined : (began[nth] ?? 0) + afterMs };
  });
  const bySession = groupedBy(connected, ({ session }) => session);
  return records.map((record, nth) => {
    const others = (bySession.get(record.participant.session) ?? []).flatMap((one) =>
      one.nth === nth || one.atMs === undefined ? [] : one.atMs,
    );
    if (others.length === 0) return record;
    const sourcesStartedMs = Math.max(0, Math.max(...others) - (began[nth] ?? 0));
    return { ...record, join: { ...record.join, sourcesStartedMs } };
  });
}
