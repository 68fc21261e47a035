import {
  BarGaugeDisplayMode,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  type FieldConfig,
  GraphDrawStyle,
  LegendDisplayMode,
  type Panel,
  PercentChangeColorMode,
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
import type { DataSource } from './data-source.js';
import type { Target } from './selection.js';

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

interface Curves extends Box {
  /** `points` for what happened once, `bars` for counts. */
  readonly draw?: 'line' | 'points' | 'bars';
  readonly min?: number;
  readonly max?: number;
}

const styles = { line: GraphDrawStyle.Line, points: GraphDrawStyle.Points, bars: GraphDrawStyle.Bars } as const;

/** Values over time. */
export function curves({ draw = 'line', min, max, ...box }: Curves): Placeless {
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
  return panel('timeseries', box, { ...options }, field);
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

/** Left to right, row by row; a row is as high as its highest panel. Skips what the data source cannot show. */
export function laidOut(panels: readonly Placeless[], from: DataSource): Panel[] {
  let [x, y, rowHeight] = [0, 0, 0];
  const asked = panels.map((one) => ({ ...one, queries: one.targets.flatMap((target) => from.queries(target)) }));
  return asked
    .filter(({ queries }) => queries.length > 0)
    .map(({ panel: own, titleInSeries, opensRun, queries, width, height }, nth) => {
      if (x + width > columns) [x, y, rowHeight] = [0, y + rowHeight, 0];
      const place = { x, y, w: width, h: height };
      x += width;
      rowHeight = Math.max(rowHeight, height);
      return {
        ...own,
        title: from.name === 'influxdb' ? own.title : (titleInSeries ?? own.title),
        datasource: from.source,
        targets: queries.map((query, at) => ({
          refId: String.fromCharCode(65 + at),
          datasource: from.source,
          ...query,
        })),
        // A row for what several queries say of one trial, and not a table for each.
        ...(own.type === 'table' && queries.length > 1 ? { transformations: [{ id: 'merge', options: {} }] } : {}),
        ...(opensRun ? { fieldConfig: withLink(own.fieldConfig, from.runLink) } : {}),
        id: nth + 1,
        gridPos: place,
      };
    });
}

function withLink(config: Panel['fieldConfig'], url: string): NonNullable<Panel['fieldConfig']> {
  const { defaults = {}, overrides = [] } = config ?? {};
  return { defaults: { ...defaults, links: [{ title: 'Open this run', url }] }, overrides };
}
