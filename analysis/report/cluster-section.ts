import type { FinishedRun } from '../../model/finished-run.js';
import type { ServerInTrial } from '../measure/cluster-servers.js';
import { type ClusterAtSize, clusterAccount } from './cluster-account.js';
import { clusterSentences } from './cluster-sentences.js';
import { countOf } from './headline.js';
import { figureText, left, right, type TextStyle, titled } from './layout.js';

/** More rows than this are for the page. */
const mostRows = 12;

/** A figure of a server of a cluster, for text and for the page; undefined where it was not read. */
export const serverColumns: readonly {
  readonly head: string;
  readonly value: (server: ServerInTrial) => number | undefined;
}[] = [
  { head: 'sessions', value: ({ sessions }) => sessions },
  { head: 'failing', value: ({ failing }) => failing },
  { head: 'full, %', value: ({ use }) => (use === undefined ? undefined : 100 * use) },
  { head: 'cores', value: ({ coresMean }) => coresMean },
  { head: 'Mbit/s out', value: ({ egressMbpsMean }) => egressMbpsMean },
  { head: 'dropped', value: ({ egressDropped }) => egressDropped },
];

/** Each server of a cluster at the limit and above it; nothing for one server, or without a telling size. */
export function clusterSection(run: FinishedRun, style: TextStyle): string[] {
  const account = clusterAccount(run);
  if (!account) return [];
  const { atLimit, above, servers } = account;
  if (!atLimit && above.length === 0) return [];
  const shown = servers.length > mostRows ? [] : [...(atLimit ? [atLimit] : []), ...above];
  return [...titled('The cluster', clusterSentences(run), style), ...shown.flatMap((size) => rowsOf(run, size, style))];
}

function rowsOf(run: FinishedRun, { size, servers }: ClusterAtSize, style: TextStyle): string[] {
  const heads = serverColumns.map(({ head }) => right(head, 11)).join('');
  return [
    `${left(`    At ${countOf(run, size)}`, 20)}${style.dim(heads)}`,
    ...servers.map((server) => {
      const cells = serverColumns.map(({ value }) => right(figureText(value(server)), 11)).join('');
      const mark = server.verdict === 'stable' ? style.good('✓') : server.verdict === 'void' ? '?' : style.bad('✗');
      return `    ${mark} ${left(server.server, 14)}${cells}`;
    }),
  ];
}
