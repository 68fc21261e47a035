import { influx } from './influx/influx-kind.js';
import { otlp } from './otlp/otlp-kind.js';
import { prometheus } from './prometheus/prometheus-kind.js';
import { scrape } from './scrape/scrape-kind.js';
import type { SinkKind } from './sink-kind.js';

/** Every kind of place that a run can be copied to, one line each. A run may have any number of them. */
export const sinkKinds: readonly SinkKind[] = [influx, prometheus, otlp, scrape];
