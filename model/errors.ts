import { plainText } from './plain-text.js';
import { type Remedy, told, type Way, waysOf } from './remedy.js';
import { shortWords } from './secrets.js';

/**
 * Every error Loadline shows. An error says what happened, where, the value seen and what to do; it has a code
 * that `docs/reference/errors.md` explains. `exitCode` 2 means nothing was started, 1 that our side failed.
 */
export const errorCodes = {
  E_USAGE: { exitCode: 2, title: 'A flag or argument is wrong' },
  E_SCENARIO: { exitCode: 2, title: 'The scenario is unknown' },
  E_DURATION: { exitCode: 2, title: 'A duration cannot be read' },
  E_RATE: { exitCode: 2, title: 'A rate cannot be read' },
  E_THRESHOLD: { exitCode: 2, title: 'A threshold cannot be read' },
  E_PLAN: { exitCode: 2, title: 'The plan file is wrong' },
  E_HOST: { exitCode: 2, title: 'This host cannot carry the plan' },
  E_SERVER_URL: {
    exitCode: 2,
    title: 'The server address cannot be read',
    todo: 'write the address as loadline help servers shows it',
  },
  E_SERVER_UNREACHABLE: {
    exitCode: 2,
    title: 'The media server does not answer',
    todo: 'start the media server; check its host, its port and the firewall from this machine',
  },
  E_SERVER_PROTOCOL: {
    exitCode: 2,
    title: 'The server at that address is not a media server Loadline can speak to',
    todo: 'check by loadline help servers that the address is of such a media server, and its version of those that were tried',
  },
  E_PORT_IN_USE: { exitCode: 2, title: 'The port is taken' },
  E_CPU_LIMIT: { exitCode: 2, title: 'The CPU limit cannot be set' },
  E_CANNOT_MIX: { exitCode: 2, title: 'The media server cannot mix rooms' },
  E_TURN_URL: { exitCode: 2, title: 'The TURN server address cannot be read' },
  E_TURN_MISSING: { exitCode: 2, title: 'coturn is not installed' },
  E_TURN_START: { exitCode: 2, title: 'coturn does not start' },
  E_TURN_NOT_NAMED: { exitCode: 2, title: 'The media server names no TURN server' },
  E_TURN_UNREACHABLE: { exitCode: 2, title: 'The TURN server gives no relay' },
  E_NETWORK: { exitCode: 2, title: 'The network cannot be read' },
  E_NETWORK_MEANS: { exitCode: 2, title: 'Networks cannot be impaired here' },
  E_NETWORK_LINK: { exitCode: 1, title: 'The impaired link could not be made' },
  E_CHROMIUM_MISSING: { exitCode: 2, title: 'No Chromium was found' },
  E_CHROMIUM_START: { exitCode: 2, title: 'Chromium does not start' },
  E_JOIN_SCRIPT: { exitCode: 2, title: 'The join script of a visited web app cannot be used' },
  E_JOIN_SCRIPT_STUCK: { exitCode: 1, title: 'The join script of a visited web app never gave way in a trial' },
  E_VISIT: { exitCode: 2, title: 'The web app cannot be visited' },
  E_OUT: { exitCode: 2, title: 'The run directory cannot be written' },
  E_RUN: { exitCode: 2, title: 'The stored run cannot be read' },
  E_RUN_FOREIGN: { exitCode: 2, title: 'Another user can change the stored run' },
  E_INFLUX_URL: { exitCode: 2, title: 'The InfluxDB address cannot be read' },
  E_RESUME: { exitCode: 2, title: 'The run cannot be resumed' },
  E_METRICS_URL: { exitCode: 2, title: 'The address for metrics cannot be used' },
  E_METRICS_LISTEN: { exitCode: 2, title: 'Metrics cannot be shown at this address' },
  E_METRICS: { exitCode: 1, title: 'The receiver of metrics does not take the points' },
  E_INFLUX: { exitCode: 1, title: 'InfluxDB does not take the points' },
  E_MONITOR_BUSY: { exitCode: 2, title: 'Another monitor is at work here' },
  E_FOLDER: { exitCode: 2, title: 'A file or folder cannot be used' },
  E_DISK_FULL: { exitCode: 1, title: 'The disk is full' },
  E_BUS: { exitCode: 2, title: 'The bus to the probe hosts cannot be used' },
  E_BUS_MISSING: { exitCode: 2, title: 'nats-server is not installed' },
  E_HOSTS: { exitCode: 2, title: 'The probe hosts cannot be had' },
  E_HOSTS_LOST: { exitCode: 1, title: 'All probe hosts went away' },
  E_SERVER_LOST: {
    exitCode: 1,
    title: 'The media server went away',
    todo: "read in the media server's own log why it ended, and start it again",
  },
  E_SERVER_REFUSED: {
    exitCode: 1,
    title: 'The media server refused a request',
    todo: "read in the media server's own log what it refused: often a limit of its configuration or of open files",
  },
  E_SERVER_TIMEOUT: {
    exitCode: 1,
    title: 'The media server did not answer in time',
    todo: "look at the media server's CPU and log; start it anew",
  },
  E_NOT_CLEAN: { exitCode: 1, title: 'The media server did not come clean between trials' },
  E_INTERNAL: { exitCode: 1, title: 'Loadline itself failed' },
} as const satisfies Record<string, CodeRow> & Record<`E_SERVER_${string}`, Required<CodeRow>>;

interface CodeRow {
  readonly exitCode: 1 | 2;
  readonly title: string;
  /** What can always be done, where an error does not say it nearer. */
  readonly todo?: string;
}

export type ErrorCode = keyof typeof errorCodes;

interface ErrorParts {
  /** The flag, file and line, or object that is wrong. */
  readonly where?: string | undefined;
  /** Why it is so: what was seen, in the words of whoever said it. */
  readonly why?: string | undefined;
  /** What the person can do. */
  readonly todo?: Remedy | undefined;
  readonly cause?: unknown;
  /** Of each part so many characters are kept; absent: what is kept of the words of others. */
  readonly mostLength?: number;
}

/** So much of the words of a server, a page or a stored run is kept. */
const mostOfOthers = 2_000;

/** What an error says, or whatever else was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong and why, as one text. */
export const withWhy = ({ message, why = '' }: Pick<LoadlineError, 'message' | 'why'>): string =>
  `${message} ${why}`.trim();

/** The same of whatever was thrown. */
export const saidBy = (error: unknown): string => (error instanceof LoadlineError ? withWhy(error) : String(error));

export class LoadlineError extends Error {
  readonly code: ErrorCode;
  readonly where: string | undefined;
  readonly why: string | undefined;
  readonly todo: string | undefined;
  /** The same, as what can be followed. */
  readonly ways: readonly Way[];

  constructor(code: ErrorCode, what: string, parts: ErrorParts = {}) {
    const row: CodeRow = errorCodes[code];
    const { where, why, todo = row.todo, cause, mostLength = mostOfOthers } = parts;
    // Parts may be in the words of a media server, and addresses may hold a login.
    const shown = (text: string): string => shortWords(text, mostLength);
    super(shown(what), cause === undefined ? {} : { cause });
    this.name = 'LoadlineError';
    this.code = code;
    this.where = where === undefined ? undefined : shown(where);
    this.why = why === undefined ? undefined : shown(why);
    this.todo = todo === undefined ? undefined : plainText(told(todo));
    this.ways = waysOf(todo ?? []);
  }

  get exitCode(): number {
    return errorCodes[this.code].exitCode;
  }
}
