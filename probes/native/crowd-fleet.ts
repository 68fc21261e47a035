import type { ProbeHostReading } from '../../model/evidence.js';
import { nativeOf, type Sentinels } from '../../model/native-probes.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Fleet, JoinOptions, StartFleet } from '../fleet.js';
import { startsOf } from '../schedule.js';
import { readOneHost, recordsOfBoth } from './one-host.js';

/** Who of the participants has no browser. */
export type ChooseNative = (participants: readonly Participant[], seed: number) => ReadonlySet<string>;

/** All who can be, but for the sentinels. */
export function allBut(sentinels: Sentinels): ChooseNative {
  return (participants, seed) => nativeOf(participants, { sentinels, seed });
}

/** The fleets of both kinds of probe: those without a browser make the crowd, browsers among them say what a participant notices. */
export function crowdFleets(startBrowsers: StartFleet, startNative: StartFleet, choose: ChooseNative): StartFleet {
  return (options, listener) =>
    new CrowdFleet(startBrowsers(options, listener), startNative(options, listener), (participants) =>
      choose(participants, options.sentinelSeed ?? 0),
    );
}

/** Both kinds on one host: one pace over all participants, and one reading of the host. */
class CrowdFleet implements Fleet {
  private participants: readonly Participant[] = [];

  constructor(
    private readonly browsers: Fleet,
    private readonly natives: Fleet,
    private readonly choose: (participants: readonly Participant[]) => ReadonlySet<string>,
  ) {}

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    this.participants = participants;
    const native = this.choose(participants);
    const schedule = startsOf(participants, options);
    const starts = new Map(
      participants.flatMap(({ id }, index) => [[id, schedule[index] ?? { startMs: 0, sourcesMs: 0 }]]),
    );
    const parts = [
      { fleet: this.browsers, members: participants.filter(({ id }) => !native.has(id)) },
      { fleet: this.natives, members: participants.filter(({ id }) => native.has(id)) },
    ].filter(({ members }) => members.length > 0);
    const together = meeting(parts.length, options.begins ?? (async () => undefined));
    const joins = parts.map(({ fleet, members }) =>
      fleet.join(members, { ...options, starts, begins: together.arrive }).finally(together.giveUp),
    );
    try {
      await Promise.all(joins);
    } catch (error) {
      // Without the one kind the other need not go on; what it still says about that is no other error.
      await this.close();
      await Promise.allSettled(joins);
      throw error;
    }
  }

  hosts(): readonly ProbeHost[] {
    return this.browsers.hosts();
  }

  records(): readonly ProbeRecord[] {
    return recordsOfBoth(this.participants, [this.browsers, this.natives]);
  }

  readHosts(): Promise<readonly ProbeHostReading[]> {
    return readOneHost(this.browsers, this.natives);
  }

  async leave(): Promise<void> {
    await Promise.all([this.browsers.leave(), this.natives.leave()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.browsers.close(), this.natives.close()]);
  }
}

/** Those who arrive wait for one another, and then for `begins`, which is asked once. */
function meeting(members: number, begins: () => Promise<void>) {
  let missing = members;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let begun: Promise<void> | undefined;
  const arrive = async (): Promise<void> => {
    missing -= 1;
    if (missing <= 0) open();
    await all;
    begun ??= begins();
    await begun;
  };
  // A member whose joining is over has arrived long ago, or never will: either way nobody waits for it.
  return { arrive, giveUp: () => open() };
}
