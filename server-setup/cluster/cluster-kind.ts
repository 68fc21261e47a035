import { LoadlineError, messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type ClusterServerPlan, weightsOf } from '../../model/plan.js';
import type { ServerKind } from '../server-kind.js';
import type { AskedPlacement, Placement } from './placement.js';

const takeAwayBoundMs = 30_000;

/**
 * Servers of one kind as a kind of its own: what one of them can do, the cluster can, but for what has one way to one
 * server: it is not reached through a TURN server of the run.
 */
export function clusterKind(kind: ServerKind, cluster: ClusterServerPlan): ServerKind {
  return {
    ...kind,
    inWords: `a cluster of ${cluster.members.length}`,
    abilities: { ...kind.abilities, turn: false },
    planned: () => plannedText(kind, cluster),
    prepare: async (asked, host) => {
      await kind.prepare?.(asked, host);
      await provePlacer(cluster);
    },
    make: async (order) => {
      const [{ ClusterServer }, placement] = await Promise.all([import('./cluster-server.js'), placementsOf(cluster)]);
      const weights = weightsOf(cluster);
      const members = cluster.members.map(async ({ name, server }, nth) => {
        const made = await kind.make({ ...order, server });
        const takeAway = takenAwayBy(order.plan.drill?.command, name, server.url);
        return given({ name, weight: weights[nth] ?? 1, server: made, takeAway });
      });
      return new ClusterServer(await Promise.all(members), placement, () => Date.now());
    },
  };
}

/** A command of the user's that takes a server away gets which one; bounded, because the trial goes on meanwhile. */
function takenAwayBy(command: string | undefined, server: string, url = ''): (() => Promise<void>) | undefined {
  if (command === undefined) return undefined;
  return async () => {
    const { shellAnswer } = await import('../shell-answer.js');
    await shellAnswer(command, JSON.stringify({ server, url }), takeAwayBoundMs).catch((error: unknown) => {
      throw new LoadlineError('E_SERVER_REFUSED', `Server ${server} was not taken away.`, {
        where: `--drill-command ${command}`,
        why: messageOf(error),
        todo: 'have the command end with 0 when the server is gone, within 30 s',
      });
    });
  };
}

function plannedText(kind: ServerKind, cluster: ClusterServerPlan): string {
  const weights = weightsOf(cluster);
  const members = cluster.members.map(({ name, server, hostType }, nth) => {
    const type = hostType === undefined ? '' : ` (${hostType})`;
    return `${name}${type}: ${kind.planned(server)}, weight ${weights[nth] ?? 1}`;
  });
  const how = cluster.placement === 'command' ? `by the command ${cluster.placer ?? ''}` : cluster.placement;
  return `${cluster.members.length} servers, sessions placed ${how}; ${members.join('; ')}`;
}

/** What places the sessions of each trial. */
async function placementsOf({ placement, placer = '' }: ClusterServerPlan): Promise<() => Placement | AskedPlacement> {
  if (placement !== 'command') {
    const { placementOf } = await import('./placement.js');
    return () => placementOf(placement);
  }
  const { askedPlacer } = await import('./placer.js');
  return () => askedPlacer(placer);
}

/** A command that cannot answer is known before anything starts, and not as a cluster that refuses every session. */
async function provePlacer(cluster: ClusterServerPlan): Promise<void> {
  if (cluster.placement !== 'command') return;
  const weights = weightsOf(cluster);
  const none = cluster.members.map(({ name }, nth) => ({ name, weight: weights[nth] ?? 1, sessions: 0 }));
  const place = (await placementsOf(cluster))();
  await Promise.resolve(place('1', none)).catch((error: unknown) => {
    if (!(error instanceof LoadlineError)) throw error;
    const { message, where, why, todo } = error;
    throw new LoadlineError('E_USAGE', message, { where, why, todo, cause: error });
  });
}
