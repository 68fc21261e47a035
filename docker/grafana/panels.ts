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
import type { UnstableCode } from '../../model/verdict.js';
import type { DataSource } from './data-source.js';
import { chosen, series, type Target } from './selection.js';

/** What every panel has. Width and height in Grafana's grid of 24 columns. */
interface Box {
  readonly title: string;
  /** Where Prometheus is asked for something else. */
  readonly titleInSeries?: string;
  /** What a person should know to read it. */
  readonly description: string;
  readonly targets: readonly Target[];
  readonly width?: number;
  readonly height?: number;
  /** Grafana's id of a unit: `percent`, `ms`, `Kbits`. */
  readonly unit?: string;
  readonly decimals?: number;
}

/** A panel without its place, before a data source is chosen. */
export interface Placeless {
  readonly panel: Omit<Panel, 'gridPos' | 'id' | 'targets' | 'datasource'> & { readonly title: string };
  readonly targets: readonly Target[];
  readonly titleInSeries?: string;
  /** A click on a row opens the dashboard of its run. */
  readonly opensRun?: boolean;
  readonly width: number;
  readonly height: number;
}

/** A heading over the panels that follow it; a folded one holds them, and asks for nothing before it is opened. */
export interface Row {
  readonly row: string;
  readonly folded?: true;
}

interface Curves extends Box {
  /** `points` for what happened once, `bars` for counts. */
  readonly draw?: 'line' | 'points' | 'bars';
  readonly min?: number;
  readonly max?: number;
  /** Thresholds whose limit is drawn as a line, in the unit of the panel: as each trial was judged. */
  readonly limits?: readonly UnstableCode[];
}

const limitName = 'limit';
const limitTarget = (code: UnstableCode): Target =>
  series(
    {
      select: `max("limit") AS "${limitName}"`,
      from: 'loadline_threshold',
      where: [...chosen, `"code" = '${code}'`],
      by: ['time', 'code'],
    },
    `${limitName} $tag_code`,
  );

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

/** Values over time. */
export function curves({ draw = 'line', min, max, limits = [], ...box }: Curves): Placeless {
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
  const field = { custom: { ...custom }, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  const targets = [...box.targets, ...limits.map(limitTarget)];
  const drawn = panel('timeseries', { ...box, targets }, { ...options }, field);
  const { defaults = {}, overrides = [] } = drawn.panel.fieldConfig ?? {};
  const looks = limits.length === 0 ? overrides : [...overrides, limitLook];
  return { ...drawn, panel: { ...drawn.panel, fieldConfig: { defaults, overrides: looks } } };
}

/** One value, the last. */
export function figure(box: Box & { readonly text?: boolean }): Placeless {
  const options: StatOptions = {
    colorMode: BigValueColorMode.None,
    graphMode: BigValueGraphMode.None,
    justifyMode: BigValueJustifyMode.Auto,
    textMode: BigValueTextMode.Value,
    percentChangeColorMode: PercentChangeColorMode.Standard,
    showPercentChange: false,
    wideLayout: true,
    orientation: VizOrientation.Auto,
    reduceOptions: { calcs: ['lastNotNull'], values: false, fields: box.text === true ? '/.*/' : '' },
  };
  const { text: _, ...rest } = box;
  return panel('stat', { width: 4, height: 4, ...rest }, { ...options });
}

/** A bar for each series, its last value. */
export function bars(box: Box): Placeless {
  const options: Pick<GaugeOptions, 'displayMode' | 'orientation' | 'reduceOptions'> = {
    displayMode: BarGaugeDisplayMode.Basic,
    orientation: VizOrientation.Horizontal,
    reduceOptions: { calcs: ['lastNotNull'], values: false, fields: '' },
  };
  return panel('bargauge', { height: 12, ...box }, { ...options });
}

export function table(box: Box & { readonly opensRun?: boolean }): Placeless {
  const { opensRun = false, ...rest } = box;
  return { ...panel('table', rest, { showHeader: true }), ...(opensRun ? { opensRun } : {}) };
}

function panel(type: string, box: Box, options: Record<string, unknown>, field: Partial<FieldConfig> = {}): Placeless {
  const { title, titleInSeries, description, targets, width = 12, height = 8, unit, decimals } = box;
  const own: Placeless['panel'] = {
    type,
    title,
    description,
    // Samples are a second apart: less would be all gaps.
    interval: '1s',
    options,
    fieldConfig: {
      defaults: {
        ...field,
        ...(unit === undefined ? {} : { unit }),
        ...(decimals === undefined ? {} : { decimals }),
      },
      overrides: [],
    },
  };
  return { panel: own, targets, width, height, ...(titleInSeries === undefined ? {} : { titleInSeries }) };
}

const columns = 24;

/**
 * Left to right, line by line; a line is as high as its highest panel. Skips what the data source cannot show. The
 * panels of a folded row are in it, at the places that they have once it is open.
 */
export function laidOut(panels: readonly (Placeless | Row)[], from: DataSource): (Panel | RowPanel)[] {
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
  for (const one of panels) {
    if ('row' in one) {
      const head: RowPanel = {
        type: 'row',
        title: one.row,
        collapsed: one.folded === true,
        panels: [],
        ...placed(columns, 1),
      };
      all.push(head);
      into = one.folded ? head.panels : all;
      continue;
    }
    const queries = one.targets.flatMap((target) => from.queries(target));
    if (queries.length > 0) into.push({ ...asked(one, queries, from), ...placed(one.width, one.height) });
  }
  return all;
}

function asked(
  { panel: own, titleInSeries, opensRun }: Placeless,
  queries: ReturnType<DataSource['queries']>,
  from: DataSource,
): Panel {
  return {
    ...own,
    title: from.name === 'influxdb' ? own.title : (titleInSeries ?? own.title),
    datasource: from.source,
    targets: queries.map((query, at) => ({ refId: String.fromCharCode(65 + at), datasource: from.source, ...query })),
    // A row for what several queries say of one trial, and not a table for each.
    ...(own.type === 'table' && queries.length > 1 ? { transformations: [{ id: 'merge', options: {} }] } : {}),
    ...(opensRun ? { fieldConfig: withLink(own.fieldConfig, from.runLink) } : {}),
  };
}

function withLink(config: Panel['fieldConfig'], url: string): NonNullable<Panel['fieldConfig']> {
  const { defaults = {}, overrides = [] } = config ?? {};
  return { defaults: { ...defaults, links: [{ title: 'Open this run', url }] }, overrides };
}
