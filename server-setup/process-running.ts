import { kill } from 'node:process';

/** Sends no signal: 0 only asks whether the process is there (kill(2)); EPERM means that it is, and another user's. */
export function isRunning(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
