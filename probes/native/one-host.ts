import type { ProbeHostReading } from '../../model/evidence.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Fleet } from '../fleet.js';

/** Of the participants, what is known by whichever of the two plays them. */
export function recordsOfBoth(participants: readonly Participant[], fleets: readonly Fleet[]): readonly ProbeRecord[] {
  const known = new Map(fleets.flatMap((fleet) => fleet.records()).map((record) => [record.participant.id, record]));
  return participants.flatMap(({ id }) => known.get(id) ?? []);
}

/** One reading of the host that browsers and native probes share. */
export async function readOneHost(browserFleet: Fleet, nativeFleet: Fleet): Promise<readonly ProbeHostReading[]> {
  const [ofBrowsers, ofNatives] = await Promise.all([browserFleet.readHosts(), nativeFleet.readHosts()]);
  const [browsers, natives] = [ofBrowsers[0], ofNatives[0]];
  if (!browsers || !natives) return [...ofBrowsers, ...ofNatives];
  const throttled = [browsers.throttledShare, natives.throttledShare].flatMap((share) => share ?? []);
  return [
    {
      ...browsers,
      probeCores: browsers.probeCores + natives.probeCores,
      ...(throttled.length > 0 ? { throttledShare: Math.max(...throttled) } : {}),
      ...(natives.socketDrops === undefined ? {} : { socketDrops: natives.socketDrops }),
      ...(natives.nativeLateMs === undefined ? {} : { nativeLateMs: natives.nativeLateMs }),
    },
  ];
}
