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
import { conditions, type Frame } from './dashboard-file.js';
import type { DataSource } from './data-source.js';
import { laidOut } from './panels.js';

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

const newestTrial = tagVariable('trial', 'loadline_trial', ['run', 'trial'], { sort: VariableSort.numericalDesc });

const tagVariables: Readonly<Record<string, Variable>> = {
  scenario: tagVariable('scenario', 'loadline_run_start', [], { several: true }),
  server: tagVariable('server', 'loadline_run_start', ['scenario'], { several: true }),
  // The newest first: a run's name begins with its date.
  run: tagVariable('run', 'loadline_run_start', ['scenario', 'server'], { sort: VariableSort.alphabeticalDesc }),
  trial: tagVariable('trial', 'loadline_event', ['run'], { several: true, sort: VariableSort.numericalAsc }),
  // One trial of those, for bars: the newest, until another is chosen.
  bars: (from) => ({ ...newestTrial(from), name: 'bars', label: 'trial of the bars' }),
  probe: tagVariable('probe', 'loadline_probe', ['run', 'trial'], { several: true, sort: VariableSort.naturalAsc }),
};

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

/** Phases and verdicts of the chosen trials, as marks on every curve; of all runs, answers alone. */
const marks: Readonly<Record<Frame['marks'], readonly Mark[]>> = {
  trials: [
    mark('Phases', 'phase', 'blue', 'chosen'),
    mark('Verdicts', 'verdict', 'purple', 'chosen'),
    mark('Failures', 'probe-failed|browser-crashed|host-lost|warning', 'red', 'chosen'),
  ],
  answers: [mark('Answers', 'answer', 'purple', 'everyRun')],
};

function mark(name: string, types: string, iconColor: string, where: string): Mark {
  return (from) => from.marks(name, types, iconColor, conditions(where));
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

/** A whole dashboard, as Grafana's published schema has it, for one kind of data source. */
export function dashboard(frame: Frame, source: DataSource): Dashboard {
  const { name, title, about: description, variables, from, refresh, panels } = frame;
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
    templating: {
      list: [datasourceVariable, ...variables.flatMap((one) => tagVariables[one] ?? []), filterVariable].map((one) =>
        one(source),
      ),
    },
    annotations: { list: marks[frame.marks].map((one) => one(source)) },
    panels: laidOut(panels, source),
  };
}
