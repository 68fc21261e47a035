/** Runs a child whose output is shown only when it fails. */
import { spawn } from 'node:child_process';

const keptCharacters = 20_000;

/**
 * Resolves with the exit code (null after a signal or when it could not start) and the end of what it printed.
 * With `silenceMs`, a child that prints nothing for that long is ended: a download that hangs must not hang set-up.
 */
export function runQuietly(command, args, { cwd, env = {}, timeoutMs = 900_000, silenceMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let silence;
    const end = () => endGroup(child);
    const heard = () => {
      clearTimeout(silence);
      if (silenceMs !== undefined) silence = setTimeout(end, silenceMs);
    };
    const deadline = setTimeout(end, timeoutMs);
    const onSignal = () => {
      end();
      process.exit(130);
    };
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    const finish = (code) => {
      clearTimeout(deadline);
      clearTimeout(silence);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      resolve({ code, output: output.trim() });
    };
    const collect = (chunk) => {
      output = (output + chunk).slice(-keptCharacters);
      heard();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => {
      output += error.message;
      finish(null);
    });
    child.on('close', (code) => finish(code));
    heard();
  });
}

/** Package managers start children of their own: the whole group is ended. */
function endGroup(child) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
