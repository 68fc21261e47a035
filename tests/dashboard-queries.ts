import type { Dashboard, Panel } from '@grafana/schema';

/** A query of a dashboard, and where it stands. */
interface PlacedQuery {
  readonly where: string;
  readonly query: string;
}

/** Of what a run without failures and without marks has no data. */
export const ofMarksAlone = /marks Failures|"delayMs"|loadline_streams_delay|(late|wrong|still|blank)-/;

/** Every query of a dashboard: of its variables, its marks and its panels. */
export function queriesOfDashboard({ title, templating, annotations, panels = [] }: Dashboard): readonly PlacedQuery[] {
  const variables = (templating?.list ?? []).flatMap(({ type, name, query }) =>
    type === 'query' ? queriesOf({ query }).map((one) => ({ where: `${title}, variable ${name}`, query: one })) : [],
  );
  const marks = (annotations?.list ?? []).flatMap((mark) =>
    queriesOf(mark.target).map((query) => ({ where: `${title}, marks ${mark.name}`, query })),
  );
  const curves = panelsOf({ panels }).flatMap((panel) =>
    (panel.targets ?? []).flatMap((target) =>
      queriesOf(target).map((query) => ({ where: `${title}, ${panel.title}`, query })),
    ),
  );
  return [...variables, ...marks, ...curves];
}

/** Those in folded rows, too; no row. */
export function panelsOf({ panels = [] }: Pick<Dashboard, 'panels'>): readonly Panel[] {
  return panels.flatMap((panel) => ('targets' in panel ? [panel] : 'panels' in panel ? (panel.panels ?? []) : []));
}

/** A query as Grafana would send it: variables filled in, several values as one pattern. */
export function filledIn(
  query: string,
  values: Readonly<Record<string, string>>,
  fromMs: number,
  toMs: number,
  interval = '1s',
): string {
  const filled = query
    .replaceAll('$timeFilter', `time >= ${fromMs}ms and time <= ${toMs}ms`)
    .replaceAll('$__interval_ms', String(1000 * Number.parseInt(interval, 10)))
    .replaceAll('$__interval', interval)
    .replaceAll('$__range', `${Math.ceil((toMs - fromMs) / 1000)}s`);
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`$${name}$`, `${value}$`).replaceAll(`$${name}`, value),
    filled,
  );
}

function queriesOf(target: unknown): readonly string[] {
  if (typeof target !== 'object' || target === null) return [];
  const { query, expr }: { query?: unknown; expr?: unknown } = target;
  if (typeof query === 'object') return queriesOf(query);
  return [query, expr].filter((one) => typeof one === 'string');
}
