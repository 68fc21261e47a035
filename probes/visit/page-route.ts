import type { LegRoute } from '../../model/turn.js';
import type { PlacedConnection } from './stream-slots.js';

/**
 * How the connections of a page reach their server, as of one leg: one that is not relayed is told before those that
 * are. Undefined while none of them says.
 */
export function routeOfPage(leg: string, connections: readonly PlacedConnection[]): LegRoute | undefined {
  const routes = connections.flatMap(({ route }) => route ?? []);
  const [one] = [...routes.filter(({ candidateType }) => candidateType !== 'relay'), ...routes];
  return one && { ...one, leg };
}
