import type { DataQuery } from '@grafana/schema';
import type { Selection } from './dashboard-file.js';
import { chosenSource, type DataSource } from './data-source.js';

/** A query of Grafana's InfluxDB data source in InfluxQL, typed by hand: no npm package publishes that schema. */
interface InfluxQuery extends DataQuery {
  readonly query: string;
  readonly rawQuery: true;
  readonly resultFormat: 'time_series' | 'table';
  readonly alias?: string;
}

const source = { type: 'influxdb', uid: chosenSource } as const;

/** InfluxDB 1.x and 2.x, asked in InfluxQL. */
export const influxSource: DataSource = {
  name: 'influxdb',
  label: 'InfluxDB',
  source,
  uid: (name) => `loadline-${name}`,
  runLink: `/d/loadline-run?var-run=\${__data.fields.run}&from=\${__data.fields.startedAtMs.numeric}&to=\${__data.fields.endedAtMs.numeric}`,
  queries: ({ selection, form, alias }) => {
    const query: Omit<InfluxQuery, 'refId'> = {
      query: influxQl(selection),
      rawQuery: true,
      resultFormat: form === 'series' ? 'time_series' : 'table',
      ...(alias === undefined ? {} : { alias }),
    };
    return [{ ...query }];
  },
  variableQuery: (tag, from, within) => {
    const where = within.map((one) => `"${one}" =~ /^$${one}$/`).join(' AND ');
    return `SHOW TAG VALUES FROM "${from}" WITH KEY = "${tag}"${where === '' ? '' : ` WHERE ${where}`}`;
  },
  marks: (name, types, iconColor, where) => {
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
  },
};

function influxQl({ select, from, where, by = [] }: Selection): string {
  const groups = by.map((one) => (one === 'time' ? 'time($__interval)' : `"${one}"`));
  const grouped = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`;
  const filled = by.includes('time') ? ' fill(null)' : '';
  return `SELECT ${select} FROM "${from}" WHERE ${where.join(' AND ')}${grouped}${filled}`;
}
