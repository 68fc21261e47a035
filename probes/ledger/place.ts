import type { ProbeRecord } from '../../model/trial.js';

/** Where a participant's probe runs: indexes within its host; of a native one, numbers of its process. */
export type ProbePlace = Pick<ProbeRecord, 'host' | 'browser' | 'page' | 'encoded' | 'native'>;
