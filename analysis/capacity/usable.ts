import type { CapacityAsk } from './ask.js';
import type { HostLimit } from './host-limit.js';

type Resource = 'measured limit' | 'link' | 'ports';

/** What one host may be given, and what it is that sets this. */
export interface Usable {
  readonly units: number;
  readonly binds: Resource;
  /** How full each resource is then, as a share of all of it; a resource of which nothing is known is absent. */
  readonly used: Readonly<Partial<Record<Resource, number>>>;
}

/** Sums of shares are a hair off whole numbers. */
const hair = 1e-9;

/**
 * Sessions for one host, of a limit: with head-room in what was measured and in the link, whose load varies. Ports are
 * counted out: a session has them or not.
 */
export function usableOf(limit: HostLimit, held: number, ask: CapacityAsk): Usable {
  const { headroom, linkMbps, ports } = ask;
  const { mbpsPerUnit: mbps, mbpsBeside = 0 } = limit.egress ?? {};
  const most: readonly (readonly [Resource, number])[] = [
    ['measured limit', held * (1 - headroom)],
    ...(linkMbps === undefined || mbps === undefined
      ? []
      : ([['link', Math.max(0, linkMbps * (1 - headroom) - mbpsBeside) / mbps]] as const)),
    ...(ports === undefined || limit.connectionsPerUnit === undefined
      ? []
      : ([['ports', Math.max(0, ports - besidePorts(limit)) / limit.connectionsPerUnit]] as const)),
  ];
  const [binds, least] = most.reduce((a, b) => (b[1] < a[1] - hair ? b : a));
  const units = Math.floor(least + hair);
  return {
    units,
    binds,
    used: {
      'measured limit': units / held,
      ...(linkMbps === undefined || mbps === undefined ? {} : { link: (units * mbps + mbpsBeside) / linkMbps }),
      ...(ports === undefined || limit.connectionsPerUnit === undefined
        ? {}
        : { ports: (units * limit.connectionsPerUnit + besidePorts(limit)) / ports }),
    },
  };
}

/** Of those beside: presenters of a webinar have a connection for each whom they hear, too. */
const besidePorts = ({ participantsBeside, connectionsBeside = participantsBeside }: HostLimit) => connectionsBeside;
