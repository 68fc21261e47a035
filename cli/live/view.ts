import type { TextStyle } from '../../analysis/report/layout.js';
import { trialLine, trialRow, trialRowHeader } from '../../analysis/report/trial-line.js';
import { warmUpText } from '../../analysis/report/warm-up-sentences.js';
import { countedIn } from '../../model/load.js';
import { ofHost } from '../../model/probe-host.js';
import type { RunEvent } from '../../model/run-event.js';
import { type ServerEvent, serverEventText } from '../../model/server-event.js';
import type { TrialEvent, TrialRecord } from '../../model/trial.js';
import { foldedHelp } from '../help-text.js';
import type { Question } from '../options/run-request.js';
import { planLines } from './plan-lines.js';
import { advance, type LiveState } from './state.js';
import { statusLine } from './status-line.js';

/** Below this, a terminal breaks lines as it likes. */
const narrowest = 40;

interface ViewOptions {
  readonly question: Question;
  /** A terminal that can redraw its last line; else one line per trial, without colour. */
  readonly redraws: boolean;
  readonly columns: number;
  readonly colours: TextStyle;
}

/** What one event adds to the screen: lines that stay, and the line below them that is drawn again next time. */
export function draw(state: LiveState, event: RunEvent, options: ViewOptions) {
  const next = advance(state, event);
  const lines = options.redraws ? terminalLines(state, event, options) : plainLines(state, event, options);
  // One column is left free: a line that fills the last one makes some terminals wrap.
  const status = options.redraws ? statusLine(next, options.question.scenario.unit, options.columns - 1) : '';
  return { state: next, lines, status };
}

function terminalLines(state: LiveState, event: RunEvent, options: ViewOptions): readonly string[] {
  const { colours, question, columns } = options;
  const row = (record: TrialRecord) => trialRow(record, colours, columns);
  if (event.type !== 'trial-ended') {
    return otherLines(state, event, options, row).map((line) => foldedHelp(line, Math.max(columns, narrowest)));
  }
  const head = trialRowHeader(question.scenario.unit, countedIn(event.record) !== undefined, columns);
  return [...(state.ended.length === 0 ? [colours.dim(head)] : []), row(event.record)];
}

function plainLines(state: LiveState, event: RunEvent, options: ViewOptions): readonly string[] {
  return event.type === 'trial-ended' ? [trialLine(event.record)] : otherLines(state, event, options, trialLine);
}

function otherLines(
  state: LiveState,
  event: RunEvent,
  options: ViewOptions,
  lineOf: (record: TrialRecord) => string,
): readonly string[] {
  switch (event.type) {
    case 'run-started':
      return startLines(event, options, lineOf);
    case 'warmed-up':
      return warmUpLines(event, options);
    case 'trial-event':
      return happeningLines(state, event, options);
    default:
      return [];
  }
}

/** What is about to happen; of a resumed run, what has happened before. */
function startLines(
  { manifest, runDirectory, past = [] }: Extract<RunEvent, { type: 'run-started' }>,
  { question }: ViewOptions,
  lineOf: (record: TrialRecord) => string,
): readonly string[] {
  const plan = planLines(manifest, question, runDirectory);
  if (past.length === 0) return plan;
  return [...plan, `Resumed after ${past.length} stored trials:`, ...past.map(lineOf)];
}

function warmUpLines({ warmUp }: Extract<RunEvent, { type: 'warmed-up' }>, { colours }: ViewOptions) {
  const text = warmUpText(warmUp);
  return [warmUp.failure === undefined ? text : `${colours.warn('!')} ${text}`];
}

/** Of a trial's probe failures the first three; the row of the trial counts them all. */
function happeningLines(
  state: LiveState,
  { event }: Extract<RunEvent, { type: 'trial-event' }>,
  { colours }: ViewOptions,
): readonly string[] {
  const shown = state.trial?.failuresShown ?? 0;
  if (event.type === 'probe-failed' && shown >= 3) return [];
  const text = happening(event);
  return text === undefined ? [] : [`${colours.warn('!')} ${text}`];
}

/** What happened in a trial that a person should see at once; undefined for what the record alone keeps. */
export function happening(event: TrialEvent): string | undefined {
  switch (event.type) {
    case 'probe-failed':
      return `probe ${event.failure.probe} failed: ${event.failure.detail} (${event.failure.code})`;
    case 'browser-crashed':
      return `browser ${event.browser}${ofHost(event.host)} ended by itself; it played ${event.probes.join(', ')}`;
    case 'host-lost':
      return `probe host ${event.host} went away: ${event.detail}; it played ${event.probes.join(', ')}`;
    case 'warning':
      return event.text;
    case 'network':
      return `the network "${event.network}"${ofHost(event.host)} has changed, as planned`;
    case 'server':
      return ofTheRun.has(event.kind) ? `server: ${event.kind}, ${serverEventText(event)}` : undefined;
    case 'phase':
    case 'probe-up':
    case 'page-log':
    case 'app-value':
      return undefined;
  }
}

/** Of the many events of a media server, the ones that concern the run as a whole. */
const ofTheRun: ReadonlySet<ServerEvent['kind']> = new Set([
  'lost',
  'reconnected',
  'sessions-lost',
  'excess',
  'foreign-sessions',
  'orphans-released',
]);
