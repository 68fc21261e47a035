import type { LegRoute } from '../../model/turn.js';
import type { PlacedConnection } from './stream-slots.js';

/** How each connection of a page reaches its server, as those of one leg: ones that are not relayed come first. */
export function routesOfPage(leg: string, connections: readonly PlacedConnection[]): readonly LegRoute[] {
  const routes = connections.flatMap(({ route }) => (route ? { ...route, leg } : []));
  const isRelayed = ({ candidateType }: LegRoute) => candidateType === 'relay';
  return [...routes.filter((one) => !isRelayed(one)), ...routes.filter(isRelayed)];
}
