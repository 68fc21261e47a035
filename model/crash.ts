import type { ProbeFailure, ProbeFailureCode } from './trial.js';

const crashes: ReadonlySet<ProbeFailureCode> = new Set([
  'page-crashed',
  'page-error',
  'browser-crashed',
  'browser-start',
  'host-lost',
]);

/** It fell with its page, its browser or its host: nothing of the media server's, and the load it was is gone. */
export function isCrash({ code }: Pick<ProbeFailure, 'code'>): boolean {
  return crashes.has(code);
}
