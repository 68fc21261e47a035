import type { AnnotationQuery, DataQuery, VariableModel } from '@grafana/schema';
import type { Target } from './dashboard-file.js';

/** A kind of data source: how it is asked what a panel, a variable or a mark wants to know. */
export interface DataSource {
  /** Of the files, and in the addresses of dashboards: "influxdb". */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Grafana's id of the kind, and the variable that says which one. */
  readonly source: { readonly type: string; readonly uid: string };
  /** The address of a dashboard: `loadline-run`. */
  uid(name: string): string;
  /** Opens the run of a row with its own time range. */
  readonly runLink: string;
  /** None where it has no words for it. */
  queries(target: Target): readonly Omit<DataQuery & Record<string, unknown>, 'refId'>[];
  /** The values of a tag, within what other variables have chosen. */
  variableQuery(tag: string, from: string, within: readonly string[]): NonNullable<VariableModel['query']>;
  marks(name: string, types: string, iconColor: string, where: readonly string[]): AnnotationQuery;
}

/** The data source is a variable, so that a dashboard that is imported by hand asks for it. */
export const chosenSource = `\${datasource}`;
