import { type LegRoute, type RelayWay, strayed } from '../../model/turn.js';
import { routeOf } from './route.js';
import type { StatsReport } from './stats-report.js';

/** Follows how the legs of one probe reach the server, and whether it is the way that was asked for. */
export class RouteWatch {
  /** What a TURN server said against it, to be put behind a sentence. */
  relaySaid = '';
  private routes: readonly LegRoute[] = [];

  constructor(
    private readonly relay: RelayWay | undefined,
    private readonly legs: readonly string[],
    /** Called when they are others than before. */
    private readonly onRoutes: (routes: readonly LegRoute[]) => void,
  ) {}

  /** False as long as a relay was asked for and getStats does not show every leg's route. */
  get proven(): boolean {
    return !this.relay || this.routes.length === this.legs.length;
  }

  /** Reads one report for each leg; says what is wrong when one of them went another way than through the relay. */
  look(reports: readonly StatsReport[]): string | undefined {
    const routes = this.legs.flatMap((leg, index) => routeOf(leg, reports[index] ?? new Map()) ?? []);
    if (routes.length > 0 && JSON.stringify(routes) !== JSON.stringify(this.routes)) {
      this.routes = routes;
      this.onRoutes(routes);
    }
    const { relay } = this;
    return relay ? routes.flatMap((route) => strayed(route, relay.protocol) ?? [])[0] : undefined;
  }
}
