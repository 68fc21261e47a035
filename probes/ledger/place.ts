import type { Marks } from '../../model/probe-kinds.js';
import type { ProbeRecord } from '../../model/trial.js';

/** Where a participant's probe runs: indexes within its host; without a browser, numbers of its process. */
export type ProbePlace = Pick<ProbeRecord, 'host' | 'browser' | 'page'> & Marks;
