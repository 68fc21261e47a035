import {
  type AnnotationQuery,
  type Dashboard,
  DashboardCursorSync,
  type DashboardLink,
  defaultDashboard,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/schema';
import { laidOut, type Placeless } from './panels.js';
import { chosen, everyRun, influxQl, source } from './queries.js';

export const datasourceVariable: VariableModel = {
  name: 'datasource',
  label: 'InfluxDB',
  type: 'datasource',
  query: 'influxdb',
  refresh: VariableRefresh.onDashboardLoad,
};

export const scenarioVariable = tagVariable('scenario', 'loadline_run_start', [], { several: true });
export const serverVariable = tagVariable('server', 'loadline_run_start', ['scenario'], { several: true });
/** The newest first: a run's name begins with its date. */
export const runVariable = tagVariable('run', 'loadline_run_start', ['scenario', 'server'], {
  sort: VariableSort.alphabeticalDesc,
});
export const trialVariable = tagVariable('trial', 'loadline_event', ['run'], {
  several: true,
  sort: VariableSort.numericalAsc,
});
export const probeVariable = tagVariable('probe', 'loadline_probe', ['run', 'trial'], {
  several: true,
  sort: VariableSort.naturalAsc,
});

function tagVariable(
  tag: string,
  measurement: string,
  within: readonly string[],
  { several = false, sort = VariableSort.alphabeticalAsc } = {},
): VariableModel {
  const where = within.map((one) => `"${one}" =~ /^$${one}$/`).join(' AND ');
  const query = `SHOW TAG VALUES FROM "${measurement}" WITH KEY = "${tag}"${where === '' ? '' : ` WHERE ${where}`}`;
  return {
    name: tag,
    type: 'query',
    datasource: source,
    query,
    sort,
    refresh: VariableRefresh.onTimeRangeChanged,
    multi: several,
    includeAll: several,
    ...(several ? { allValue: '.*', current: { text: 'All', value: '$__all' } } : {}),
  };
}

/** Phases and verdicts of the chosen trials, as marks on every curve. */
export const trialMarks: readonly AnnotationQuery[] = [
  marks('Phases', 'phase', 'blue', chosen),
  marks('Verdicts', 'verdict', 'purple', chosen),
  marks('Failures', 'probe-failed|browser-crashed|warning', 'red', chosen),
];
export const answerMarks: readonly AnnotationQuery[] = [marks('Answers', 'answer', 'purple', everyRun)];

function marks(name: string, types: string, iconColor: string, where: readonly string[]): AnnotationQuery {
  const target = {
    refId: name,
    query: influxQl({
      select: '"title", "text", "type"',
      from: 'loadline_event',
      where: [`"type" =~ /^(${types})$/`, ...where],
    }),
    rawQuery: true,
    fromAnnotations: true,
    titleColumn: 'title',
    textColumn: 'text',
    tagsColumn: 'type',
    name,
  };
  return { name, datasource: source, enable: true, iconColor, target };
}

const links: DashboardLink[] = [
  {
    type: 'dashboards',
    title: 'Loadline',
    tags: ['loadline'],
    asDropdown: true,
    includeVars: true,
    keepTime: true,
    targetBlank: false,
    icon: 'external link',
    tooltip: '',
  },
];

export interface Frame {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly VariableModel[];
  readonly marks: readonly AnnotationQuery[];
  readonly from: string;
  readonly refresh: string;
  readonly panels: readonly Placeless[];
}

/** A whole dashboard, as Grafana's published schema has it. */
export function dashboard({
  uid,
  title,
  description,
  variables,
  marks: list,
  from,
  refresh,
  panels,
}: Frame): Dashboard {
  return {
    schemaVersion: defaultDashboard.schemaVersion,
    uid,
    title,
    description,
    tags: ['loadline'],
    timezone: 'browser',
    editable: true,
    graphTooltip: DashboardCursorSync.Crosshair,
    time: { from, to: 'now' },
    refresh,
    links,
    templating: { list: [datasourceVariable, ...variables] },
    annotations: { list: [...list] },
    panels: laidOut(panels),
  };
}
