import { readListenAddress } from '../../store/scrape/listen-address.js';
import type { Flags } from '../options/flag.js';

export const monitorFlags = {
  out: { takes: 'dir', about: 'where the folders of the runs and the journal are made', usual: 'runs' },
  once: { about: 'run every watch once, now, and end' },
  testAlert: { about: 'tell everybody under alerts of a test, run no watch, and end' },
  only: { takes: 'name', about: 'this watch alone', with: '--once' },
  metricsListen: {
    takes: 'address',
    about: 'show how each watch stands at http://ADDRESS/metrics, for a Prometheus: :9464',
    value: { read: readListenAddress },
  },
} as const satisfies Flags;
