import type { ProbeFailure, ProbeFailureCode } from './trial.js';

const crashes: ReadonlySet<ProbeFailureCode> = new Set([
  'page-crashed',
  'page-error',
  'candidates-unusable',
  'browser-crashed',
  'browser-start',
  'host-lost',
]);

/** It fell with its page, its browser or its host, or has no way to the server: nothing of the media server's, and the load it was is gone. */
export function isCrash({ code }: Pick<ProbeFailure, 'code'>): boolean {
  return crashes.has(code);
}
