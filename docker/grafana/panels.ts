import {
  BarGaugeDisplayMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  type FieldConfig,
  type FieldConfigSource,
  GraphDrawStyle,
  LegendDisplayMode,
  type Panel,
  PercentChangeColorMode,
  type RowPanel,
  SortOrder,
  TooltipDisplayMode,
  VisibilityMode,
  VizOrientation,
} from '@grafana/schema';
import type { Options as GaugeOptions } from '@grafana/schema/dist/esm/raw/composable/bargauge/panelcfg/x/BarGaugePanelCfg_types.gen';
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type {
  FieldConfig as CurveConfig,
  Options as CurveOptions,
} from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';
import { given } from '../../model/given.js';
import {
  type CurvesWords,
  conditions,
  type FigureWords,
  type PanelWords,
  type RowWords,
  type Target,
  targetOf,
} from './dashboard-file.js';
import type { DataSource } from './data-source.js';

/** A panel without its place, before a data source is chosen. */
interface Placeless {
  readonly panel: Omit<Panel, 'gridPos' | 'id' | 'targets' | 'datasource'> & { readonly title: string };
  readonly targets: readonly Target[];
  readonly words: PanelWords;
}

const limitName = 'limit';
const limitTarget = (code: string): Target => ({
  selection: {
    select: `max("limit") AS "${limitName}"`,
    from: 'loadline_threshold',
    where: [...conditions('chosen'), `"code" = '${code}'`],
    by: ['time', 'code'],
  },
  form: 'series',
  alias: `${limitName} $tag_code`,
});

/** One value for each trial, joined from trial to trial. */
const limitLook: FieldConfigSource['overrides'][number] = {
  matcher: { id: 'byRegexp', options: `^${limitName} ` },
  properties: [
    { id: 'color', value: { mode: 'fixed', fixedColor: 'red' } },
    { id: 'custom.drawStyle', value: GraphDrawStyle.Line },
    { id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } },
    { id: 'custom.spanNulls', value: true },
    { id: 'custom.showPoints', value: VisibilityMode.Always },
  ],
};

const styles = { line: GraphDrawStyle.Line, points: GraphDrawStyle.Points, bars: GraphDrawStyle.Bars } as const;

function drawn(words: PanelWords): Placeless {
  if ('curves' in words) return curves(words);
  if ('figure' in words) return panel('stat', words.figure, words, { options: figureOptions(words) });
  if ('bars' in words) return panel('bargauge', words.bars, words, { options: { ...barOptions } });
  return panel('table', words.table, words, { options: { showHeader: true } });
}

function curves(words: CurvesWords): Placeless {
  const { draw, min, max, belowZero, limits } = words;
  const custom: CurveConfig = {
    drawStyle: styles[draw],
    lineWidth: 1,
    fillOpacity: draw === 'bars' ? 60 : 0,
    pointSize: draw === 'points' ? 10 : 4,
    showPoints: draw === 'points' ? VisibilityMode.Always : VisibilityMode.Never,
    // A gap is a gap: seconds without a value are not joined over.
    spanNulls: false,
  };
  const options: CurveOptions = {
    legend: { showLegend: true, displayMode: LegendDisplayMode.List, placement: 'bottom', calcs: [] },
    tooltip: { mode: TooltipDisplayMode.Multi, sort: SortOrder.Descending },
  };
  const defaults = { custom: { ...custom }, ...(belowZero ? {} : { min }), ...given({ max }) };
  const hasLine = limits.length > 0 || words.select?.includes(`AS "${limitName} `);
  const overrides = hasLine ? [limitLook] : [];
  const own = panel('timeseries', words.curves, words, { options: { ...options }, defaults, overrides });
  return { ...own, targets: [...own.targets, ...limits.map(limitTarget)] };
}

function figureOptions({ text }: FigureWords): Record<string, unknown> {
  const options: StatOptions = {
    colorMode: BigValueColorMode.None,
    graphMode: BigValueGraphMode.None,
    justifyMode: BigValueJustifyMode.Auto,
    textMode: BigValueTextMode.Value,
    percentChangeColorMode: PercentChangeColorMode.Standard,
    showPercentChange: false,
    wideLayout: true,
    orientation: VizOrientation.Auto,
    reduceOptions: { calcs: ['lastNotNull'], values: false, fields: text ? '/.*/' : '' },
  };
  return { ...options };
}

const barOptions: Pick<GaugeOptions, 'displayMode' | 'orientation' | 'reduceOptions'> = {
  displayMode: BarGaugeDisplayMode.Basic,
  orientation: VizOrientation.Horizontal,
  reduceOptions: { calcs: ['lastNotNull'], values: false, fields: '' },
};

interface Look {
  readonly options: Record<string, unknown>;
  readonly defaults?: FieldConfig;
  readonly overrides?: FieldConfigSource['overrides'];
}

function panel(type: string, title: string, words: PanelWords, { options, defaults, overrides = [] }: Look): Placeless {
  const { about: description, unit, decimals } = words;
  const fieldConfig = { defaults: { ...defaults, ...given({ unit, decimals }) }, overrides };
  // Samples are a second apart: less would be all gaps.
  const own = { type, title, description, interval: '1s', options, fieldConfig };
  return { panel: own, targets: [targetOf(words)], words };
}

const columns = 24;

/**
 * Left to right, line by line; a line is as high as its highest panel. Skips what the data source cannot show. The
 * panels of a folded row are in it, at the places that they have once it is open.
 */
export function laidOut(panels: readonly (PanelWords | RowWords)[], from: DataSource): (Panel | RowPanel)[] {
  let [x, y, lineHeight, id] = [0, 0, 0, 0];
  const placed = (width: number, height: number) => {
    if (x + width > columns) [x, y, lineHeight] = [0, y + lineHeight, 0];
    const gridPos = { x, y, w: width, h: height };
    x += width;
    lineHeight = Math.max(lineHeight, height);
    id += 1;
    return { id, gridPos };
  };
  const all: (Panel | RowPanel)[] = [];
  let into: (Panel | RowPanel)[] = all;
  for (const words of panels) {
    if ('row' in words) {
      const title = words.row;
      const head: RowPanel = {
        type: 'row',
        title,
        collapsed: words.folded === true,
        panels: [],
        ...placed(columns, 1),
      };
      all.push(head);
      into = words.folded ? head.panels : all;
      continue;
    }
    const one = drawn(words);
    const queries = one.targets.flatMap((target) => from.queries(target));
    const [width, height] = 'figure' in words ? [4, 4] : [12, 'bars' in words ? 12 : 8];
    if (queries.length > 0) into.push({ ...asked(one, queries, from), ...placed(words.width ?? width, height) });
  }
  return all;
}

function asked({ panel: own, words }: Placeless, queries: ReturnType<DataSource['queries']>, from: DataSource): Panel {
  return {
    ...own,
    title: from.name === 'influxdb' ? own.title : (words.titleInSeries ?? own.title),
    datasource: from.source,
    targets: queries.map((query, at) => ({ refId: String.fromCharCode(65 + at), datasource: from.source, ...query })),
    // A row for what several queries say of one trial, and not a table for each.
    ...(own.type === 'table' && queries.length > 1 ? { transformations: [{ id: 'merge', options: {} }] } : {}),
    ...('opensRun' in words && words.opensRun ? { fieldConfig: withLink(own.fieldConfig, from.runLink) } : {}),
  };
}

function withLink(config: Panel['fieldConfig'], url: string): NonNullable<Panel['fieldConfig']> {
  const { defaults = {}, overrides = [] } = config ?? {};
  return { defaults: { ...defaults, links: [{ title: 'Open this run', url }] }, overrides };
}
