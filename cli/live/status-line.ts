import type { ScenarioUnit } from '../../model/scenario.js';
import { those } from '../../model/those.js';
import type { PhaseName } from '../../model/trial.js';
import { estimateLeftMs, type LiveState, type RunningTrial } from './state.js';

const phaseWords: Readonly<Record<PhaseName, string>> = {
  reset: 'resetting the server',
  network: 'setting the network',
  'warm-up': 'warming the server up',
  join: 'joining',
  settle: 'settling',
  measure: 'measuring',
  leave: 'leaving',
  'check-recordings': 'checking recordings',
  'clear-network': 'clearing the network',
};

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * The line that is redrawn while a trial runs; empty between trials. Never wider than `columns`: what matters least
 * is left out first.
 */
export function statusLine(state: LiveState, unit: ScenarioUnit, columns: number): string {
  const { trial } = state;
  if (!trial) return '';
  const parts = [
    `${spinnerAt(trial)} ${trial.index}  ${trial.size} ${trial.size === 1 ? unit.one : unit.many}`,
    phaseText(trial),
    bracketText(state),
    upText(trial),
    fpsText(trial),
    leftText(state),
    machinesText(trial),
  ];
  // Shown in another order than they are dropped: the bracket matters more than what stands before it.
  const order = [0, 1, 3, 4, 6, 2, 5];
  for (let kept = parts.length; kept > 1; kept -= 1) {
    const line = ` ${order
      .filter((index) => index < kept && parts[index] !== '')
      .map((index) => parts[index])
      .join('  ')}`;
    if (line.length <= columns) return line;
  }
  return ` ${parts[0]}`.slice(0, columns);
}

function spinnerAt(trial: RunningTrial): string {
  const seconds = Math.round((trial.progress?.elapsedMs ?? 0) / 1000);
  return spinner[seconds % spinner.length] ?? '';
}

function phaseText({ phase, progress }: RunningTrial): string {
  if (!phase) return 'starting';
  if (!progress || progress.boundMs <= 0) return phaseWords[phase];
  return `${phaseWords[phase]} ${Math.round(progress.elapsedMs / 1000)}/${Math.round(progress.boundMs / 1000)} s`;
}

function upText({ progress }: RunningTrial): string {
  if (!progress) return '';
  const failed = progress.probesFailed > 0 ? `, ${progress.probesFailed} failed` : '';
  return `${progress.probesUp}/${progress.probesAsked} up${failed}`;
}

function fpsText({ progress }: RunningTrial): string {
  return progress?.worstFps === undefined ? '' : `worst ${progress.worstFps.toFixed(1)} fps`;
}

/** What the machines have in use, where it can be read; the TURN server only when probes go through one of ours. */
function machinesText({ progress }: RunningTrial): string {
  const { serverCores, turnCores, hostBusyPercent } = progress ?? {};
  const cores = those(
    serverCores !== undefined && `server ${serverCores.toFixed(2)}`,
    turnCores !== undefined && `TURN ${turnCores.toFixed(2)}`,
  );
  const host = hostBusyPercent === undefined ? [] : [`probe host ${Math.round(hostBusyPercent)} %`];
  return [...(cores.length > 0 ? [`${cores.join(', ')} cores`] : []), ...host].join(', ');
}

function bracketText({ bracket }: LiveState): string {
  if (bracket.stable === null) return bracket.unstable === null ? '' : `limit < ${bracket.unstable}`;
  return bracket.unstable === null ? `limit ≥ ${bracket.stable}` : `${bracket.stable} ≤ limit < ${bracket.unstable}`;
}

function leftText(state: LiveState): string {
  const leftMs = estimateLeftMs(state);
  return leftMs === undefined ? '' : `${durationText(leftMs)} left`;
}

/** "40 s", "about" in whole minutes above one and a half: rougher than it looks. */
export function durationText(ms: number): string {
  return ms < 90_000 ? `${Math.max(1, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`;
}
