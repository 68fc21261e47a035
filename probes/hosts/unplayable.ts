import { LoadlineError } from '../../model/errors.js';
import type { HostPool } from './host-pool.js';
import type { TrialOnHost } from './trial-on-host.js';
import { participantsMax } from './wire-participants.js';

/** One order tells a host all whom it plays in a trial, those who will come included. Throws E_HOSTS. */
export function assertTellable({ host, participants }: TrialOnHost): void {
  const { length } = participants;
  if (length <= participantsMax && host.mayBeTold(Buffer.byteLength(JSON.stringify(participants)))) return;
  throw new LoadlineError(
    'E_HOSTS',
    `Host ${host.id} would play ${length} participants of one trial, more than it can be told of.`,
    {
      where: '--hosts',
      why: `all of them are told in one order: ${participantsMax} at most, and no more than the bus carries in one message`,
      todo: 'give more hosts, or a shorter --measure; the bus may be allowed larger messages (max_payload of nats-server)',
    },
  );
}

export function noneLeft(pool: HostPool): LoadlineError {
  return new LoadlineError('E_HOSTS_LOST', 'No probe host is left.', {
    where: '--hosts',
    why: pool
      .lostHosts()
      .map(({ id, lost }) => `${id}: ${lost}`)
      .join('\n'),
    todo: 'see that the hosts and the bus are there (loadline hosts), then go on with --resume',
  });
}
