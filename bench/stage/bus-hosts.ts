import { startAgent } from '../../probes/hosts/agent.js';
import { openNatsBus } from '../../probes/hosts/nats-bus.js';
import { wireFormat } from '../../probes/hosts/wire.js';
import type { Clock } from '../../trial/parts.js';
import { pagedFleets } from './paged-fleet.js';

interface BusHostsOptions {
  readonly url: string;
  readonly token: string;
  /** The number of the first of them, and how many there are. */
  readonly first: number;
  readonly count: number;
  readonly clock: Clock;
}

/** Agents whose probes are paged ones, each with a connection and a clock of its own. */
interface BusHosts {
  /** All samples that they have told by now. */
  samplesTold(): number;
  close(): Promise<void>;
}

/** What they and their conductor have, so that it takes them. */
export const benchBuild = { build: 'bench', version: '0.0.0', chromium: '1' } as const;

/** No two clocks are set alike, so that each sample has to be set right. */
const aheadStepMs = 137;

export async function startBusHosts({ url, token, first, count, clock }: BusHostsOptions): Promise<BusHosts> {
  let told = 0;
  const numbers = Array.from({ length: count }, (_, nth) => first + nth);
  const agents = await Promise.all(
    numbers.map(async (number) => {
      const name = `host-${String(number).padStart(3, '0')}`;
      const bus = await openNatsBus({ url, token, name });
      const now = () => clock.nowMs() + aheadStepMs * (number + 1);
      const { build, version, chromium } = benchBuild;
      const facts = { instance: name, name, place: `place-${number % 4}`, wireFormat, version, build, chromium };
      const agent = startAgent({
        bus,
        offer: { ...facts, cores: 4, memoryMb: 8000, boot: name, carries: { full: 100, encoded: 100, native: 100 } },
        memoryFreeMb: async () => 8000,
        fleets: {
          browsers: pagedFleets({ ...clock, nowMs: now }, (samples) => {
            told += samples;
          }),
        },
        chromiumPath: 'none',
        now,
        say: () => undefined,
      });
      return { bus, agent };
    }),
  );
  return {
    samplesTold: () => told,
    close: async () => {
      await Promise.all(agents.map(({ agent }) => agent.close('the bench is over')));
      await Promise.all(agents.map(({ bus }) => bus.close()));
    },
  };
}
