import type { CurvePoint } from '../../analysis/capacity/ask.js';
import { LoadlineError } from '../../model/errors.js';
import { textOfFile } from '../plan-file/read-mapping-file.js';

const mostRows = 1440;
const secondsOfDay = 86_400;

/**
 * Reads a daily curve: CSV with a time and a load in each line, `08:00,420` or `08:00,42%`, which holds until the next
 * line, and the last one until the first of the next day. Plain loads are shares of the largest of them. Throws E_PLAN
 * naming the line and what it has.
 */
export async function readCurve(path: string): Promise<readonly CurvePoint[]> {
  return curveOf(await textOfFile(path, 'the daily curve'), path);
}

function curveOf(text: string, path: string): readonly CurvePoint[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const rows = lines.filter(({ line, number }) => line !== '' && !(number === 1 && !/\d/.test(line)));
  const points = rows.map(({ line, number }) => {
    const [, time = '', value = '', percent = ''] = /^([^,;]+)[,;]\s*(-?\d{1,15}(?:\.\d+)?)\s*(%?)$/.exec(line) ?? [];
    if (value === '') throw wrong(path, `line ${number}: "${line}" is no time and load, such as 08:00,420`);
    if (value.startsWith('-')) throw wrong(path, `line ${number}: the load ${value}${percent} is below 0`);
    return { ...timeOf(time.trim(), path, number), value: Number(value), isPercent: percent === '%', number };
  });
  const [first] = points;
  if (!first) throw wrong(path, 'it has no line with a time and a load');
  const back = points.findIndex(({ second }, nth) => second <= (points[nth - 1]?.second ?? -1));
  if (back > 0) {
    const { number, time } = points[back] ?? first;
    throw wrong(path, `line ${number}: ${time} is not after ${points[back - 1]?.time}, the time before it`);
  }
  if (points.length > mostRows) throw wrong(path, `it has ${points.length} lines; ${mostRows} are the most`);
  const other = points.find(({ isPercent }) => isPercent !== first.isPercent);
  if (other) throw wrong(path, `line ${other.number}: shares and plain loads cannot stand side by side`);
  const full = first.isPercent ? 100 : Math.max(...points.map(({ value }) => value));
  if (full === 0) throw wrong(path, 'every load is 0');
  const above = points.find(({ value }) => value > full);
  if (above) throw wrong(path, `line ${above.number}: a share of the busiest moment is 100 % at most`);
  return points.map(({ time, second, value }, nth) => {
    const until = points[nth + 1]?.second ?? first.second + secondsOfDay;
    return { time, hours: (until - second) / 3600, share: value / full };
  });
}

function timeOf(time: string, path: string, number: number) {
  const [, hour, minute, second = '0'] = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(time) ?? [];
  const seconds = 3600 * Number(hour) + 60 * Number(minute) + Number(second);
  if (seconds < secondsOfDay) return { time, second: seconds };
  throw wrong(path, `line ${number}: "${time}" is no time of a day, from 00:00 to 23:59`);
}

function wrong(path: string, why: string): LoadlineError {
  return new LoadlineError('E_PLAN', 'The file of the daily curve is wrong.', {
    where: path,
    why,
    todo: 'write a line for each hour: 08:00,420',
  });
}
