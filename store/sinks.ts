import { influx } from './influx/influx-kind.js';
import type { SinkKind } from './sink-kind.js';

/** Every kind of place that a run can be copied to, one line each. A run may have any number of them. */
export const sinkKinds: readonly SinkKind[] = [influx];
