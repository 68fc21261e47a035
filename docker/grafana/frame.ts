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
import type { DataSource } from './data-source.js';
import { laidOut, type Placeless, type Row } from './panels.js';
import { chosen, everyRun } from './selection.js';

type Variable = (from: DataSource) => VariableModel;
type Mark = (from: DataSource) => AnnotationQuery;

const datasourceVariable: Variable = ({ label, source }) => ({
  name: 'datasource',
  label,
  type: 'datasource',
  query: source.type,
  refresh: VariableRefresh.onDashboardLoad,
});

/** Any tag of the points: what --tag and --label said of a run, the watch of a monitor. */
const filterVariable: Variable = ({ source }) => ({
  name: 'filter',
  label: 'tag or label',
  type: 'adhoc',
  datasource: source,
});

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
): Variable {
  return (from) => ({
    name: tag,
    type: 'query',
    datasource: from.source,
    query: from.variableQuery(tag, measurement, within),
    sort,
    refresh: VariableRefresh.onTimeRangeChanged,
    multi: several,
    includeAll: several,
    ...(several ? { allValue: '.*', current: { text: 'All', value: '$__all' } } : {}),
  });
}

/** Phases and verdicts of the chosen trials, as marks on every curve. */
export const trialMarks: readonly Mark[] = [
  marks('Phases', 'phase', 'blue', chosen),
  marks('Verdicts', 'verdict', 'purple', chosen),
  marks('Failures', 'probe-failed|browser-crashed|warning', 'red', chosen),
];
export const answerMarks: readonly Mark[] = [marks('Answers', 'answer', 'purple', everyRun)];

function marks(name: string, types: string, iconColor: string, where: readonly string[]): Mark {
  return (from) => from.marks(name, types, iconColor, where);
}

const links = (tags: string[]): DashboardLink[] => [
  {
    type: 'dashboards',
    title: 'Loadline',
    tags,
    asDropdown: true,
    includeVars: true,
    keepTime: true,
    targetBlank: false,
    icon: 'external link',
    tooltip: '',
  },
];

export interface DashboardFrame {
  /** Its address, and its file: `run`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly marks: readonly Mark[];
  readonly from: string;
  readonly refresh: string;
  readonly panels: readonly (Placeless | Row)[];
}

/** A whole dashboard, as Grafana's published schema has it, for one kind of data source. */
export function dashboard(frame: DashboardFrame, source: DataSource): Dashboard {
  const { name, title, description, variables, marks: list, from, refresh, panels } = frame;
  const tags = source.name === 'influxdb' ? ['loadline'] : ['loadline', source.name];
  return {
    schemaVersion: defaultDashboard.schemaVersion,
    uid: source.uid(name),
    title,
    description,
    tags,
    timezone: 'browser',
    editable: true,
    graphTooltip: DashboardCursorSync.Crosshair,
    time: { from, to: 'now' },
    refresh,
    links: links([tags.at(-1) ?? '']),
    templating: { list: [datasourceVariable, ...variables, filterVariable].map((one) => one(source)) },
    annotations: { list: list.map((one) => one(source)) },
    panels: laidOut(panels, source),
  };
}
