import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { bytesSuchAs, readFileOf, wordsSaying } from '../plan-file/read-mapping-file.js';
import type { Env } from '../process.js';
import { cronProblem } from './due-times.js';

const spanError = 'must be a time with its unit: 20s, 15m, 6h or 14d';
const span = z
  .string({ error: spanError })
  .regex(/^\d+(\.\d+)?(s|m|h|d)$/, { error: spanError })
  .transform(milliseconds);
/** Time in which something has to happen. */
const boundError = 'must be a time above zero with its unit: 20s, 15m, 6h or 14d';
const bound = span.refine((ms) => ms > 0, { error: boundError });
const bytes = bytesSuchAs('50MB or 5GB');
const cron = z.string({ error: 'must be a cron expression: "*/15 * * * *"' }).superRefine((text, context) => {
  const message = cronProblem(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});
const sizeError = 'must be a number of sessions, "80% of limit", or find';
const size = z
  .union(
    [
      z
        .number({ error: sizeError })
        .int({ error: sizeError })
        .positive({ error: sizeError })
        .max(100_000, { error: sizeError }),
      z.string().regex(/^(find|[1-9]\d?0?% of limit|[1-9]\d{0,5})$/, { error: sizeError }),
    ],
    { error: sizeError },
  )
  .transform(String);

const mailError = 'must be a mail address, or a list of them';

const watchSchema = z
  .strictObject({
    name: z
      .string({ error: 'must be a name' })
      .regex(/^[A-Za-z0-9._-]{1,60}$/, { error: 'must be letters, digits, dots and dashes, 60 at most' }),
    cron,
    size,
    plan: wordsSaying('must be the path of a plan file').optional(),
    simulate: wordsSaying('must be what follows "loadline simulate": one-to-one --capacity 18')
      .refine((words) => !/(^|\s)--size\b/.test(words), { error: 'must be without --size, which size says' })
      .optional(),
    within: bound.optional(),
  })
  .refine(({ plan, simulate }) => (plan === undefined) !== (simulate === undefined), {
    error: 'needs either a plan (the path of a plan file) or what to simulate, and not both',
  });

const zone = z
  .string({ error: 'must be a time zone: Europe/Berlin' })
  .refine(isZone, { error: 'is no time zone that is known; one is Europe/Berlin' });

export const monitorFileSchema = z.strictObject({
  watches: z
    .array(watchSchema, { error: 'must be a list of watches, each with name, cron, size and plan' })
    .min(1, { error: 'must have at least one watch' })
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: 'must have a name each, all different',
    }),
  zone: zone.optional(),
  jitter: span.optional(),
  baseline: z
    .number({ error: 'must be a number of runs' })
    .int()
    .min(3, { error: 'must be 3 runs or more' })
    .max(1000)
    .default(20),
  remind: span.prefault('6h'),
  alerts: z
    .strictObject({
      webhook: wordsSaying('must be an address, or $NAME of an environment variable that holds one').optional(),
      mail: z
        .strictObject({
          server: wordsSaying('must be smtp://HOST:587 or smtps://USER@HOST:465'),
          from: wordsSaying('must be a mail address'),
          to: z.union(
            [
              wordsSaying(mailError).transform((one) => [one]),
              z.array(wordsSaying(mailError)).min(1, { error: mailError }),
            ],
            {
              error: mailError,
            },
          ),
        })
        .optional(),
      command: wordsSaying('must be a shell command').optional(),
    })
    .prefault({}),
  keep: z.strictObject({ samples: span.optional(), disk: bytes.optional() }).prefault({}),
});

export type MonitorPlan = z.infer<typeof monitorFileSchema> & {
  /** Absolute: plan files are named relative to it. */
  readonly folder: string;
};
export type Watch = MonitorPlan['watches'][number];

/** Reads a monitor file; `$NAME` is the variable's value. Throws E_PLAN with every problem, line and column. */
export async function readMonitorFile(path: string, env: Env): Promise<MonitorPlan> {
  const noMapping = 'a monitor file is a list of "key: value" lines, and needs watches';
  const page = 'docs/reference/monitoring.md';
  const { values: plan } = await readFileOf(path, { what: 'monitor', page, schema: monitorFileSchema, noMapping });
  return { ...plan, alerts: withSecrets(plan.alerts, env, path), folder: dirname(resolve(path)) };
}

/** When the file was last changed, so that a monitor notices. */
export async function changedAtMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Secrets stand in the environment: a value that is `$NAME` is read from there. */
function withSecrets(alerts: MonitorPlan['alerts'], env: Env, path: string): MonitorPlan['alerts'] {
  const secret = (text: string): string => {
    const name = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/.exec(text)?.[1];
    if (name === undefined) return text;
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw wrongAlert(path, `the environment variable ${name} is not set`, `set ${name}, or leave that alert out`);
  };
  const { webhook, mail, command } = alerts;
  const url = webhook === undefined ? undefined : secret(webhook);
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    throw wrongAlert(path, 'alerts.webhook is no address', 'write https://…, or $NAME of a variable that holds it');
  }
  const server = mail === undefined ? undefined : secret(mail.server);
  if (server !== undefined && !(URL.canParse(server) && /^smtps?:\/\/[^/]+/.test(server))) {
    throw wrongAlert(path, 'alerts.mail.server is no mail server', 'write smtp://HOST:587 or smtps://USER@HOST:465');
  }
  if (server !== undefined && new URL(server).username !== '' && !env.LOADLINE_SMTP_PASSWORD) {
    const why = 'alerts.mail.server names a user, and the environment variable LOADLINE_SMTP_PASSWORD is not set';
    throw wrongAlert(path, why, 'set LOADLINE_SMTP_PASSWORD, or leave the user out of the address');
  }
  return given({ webhook: url, mail: mail && server !== undefined ? { ...mail, server } : undefined, command });
}

function wrongAlert(path: string, why: string, todo: string): LoadlineError {
  return new LoadlineError('E_PLAN', `The alerts of ${basename(path)} cannot be sent.`, { where: path, why, todo });
}

function milliseconds(text: string): number {
  const scale: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number.parseFloat(text) * (scale[text.slice(-1)] ?? 1);
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
