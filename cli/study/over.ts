import { z } from 'zod';
import type { PlanKey } from '../plan-file/plan-keys.js';

/** One key of plan files, and what it is in turn: a map of limits over it. */
export interface StudyOver {
  readonly key: string;
  readonly values: readonly (string | number)[];
}

/** Ends included. A curve between so many is drawn of few runs, and each more costs a run of every server. */
const mostPoints = 4;
const mostValues = 10;
const rangeForm = /^(\d{1,6})\.\.(\d{1,6})$/;
const overError = 'must be one key of plan files, with a range or a list: { roomSize: 2..10 }';

const values = z.union([
  z.string().regex(rangeForm),
  z
    .array(z.union([z.string(), z.number()]))
    .min(2)
    .max(mostValues),
]);

/** What stands under `over`; each value must be one that its key takes. */
export function overShape(keys: readonly PlanKey[]) {
  return z.record(z.string(), values, { error: overError }).transform((mapping, context): StudyOver => {
    const fail = (message: string): StudyOver => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const [entry, ...more] = Object.entries(mapping);
    if (!entry || more.length > 0) return fail(overError);
    const [key, asked] = entry;
    const known = keys.find((one) => one.key === key);
    if (!known) return fail(`has ${key}, which is no key of plan files`);
    const over = { key, values: typeof asked === 'string' ? pointsOf(asked) : asked };
    if (new Set(over.values).size !== over.values.length || over.values.length < 2) return fail(overError);
    const wrong = over.values.find((value) => !known.shape.safeParse(value).success);
    return wrong === undefined ? over : fail(`has ${key}: ${wrong}, which ${key} does not take`);
  });
}

/** Of 2..10: 2, 3, 6 and 10, each about as many times the one before. */
function pointsOf(range: string): number[] {
  const [, from = 0, to = 0] = (rangeForm.exec(range) ?? []).map(Number);
  if (from < 1 || to <= from) return [];
  const steps = Math.min(mostPoints, to - from + 1) - 1;
  const points = Array.from({ length: steps + 1 }, (_, nth) => Math.round(from * (to / from) ** (nth / steps)));
  return [...new Set(points)];
}

/** "roomSize-2", as settings are called; each has its number behind it where what is left of two is the same. */
export function settingsOver({ key, values }: StudyOver) {
  const names = values.map((value) => `${key}-${value}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40));
  const areAlike = new Set(names).size < names.length;
  return values.map((value, nth) => ({
    name: areAlike ? `${names[nth]?.slice(0, 37)}-${nth + 1}` : `${names[nth]}`,
    plan: { [key]: value },
  }));
}
