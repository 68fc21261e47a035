import type { Flags } from '../options/flag.js';
import { format } from '../options/written.js';

export const studyFlags = {
  out: { takes: 'dir', about: 'where the folder of the study is made', usual: 'runs' },
  dryRun: { about: 'say which runs it would make, and how long that takes; starts nothing' },
  resume: { takes: 'folder', about: 'go on with a study that was stopped; no run that has ended is made again' },
  against: {
    takes: 'folder',
    about: 'exit 3 when something got worse since this earlier study, or since the last one of the same name: last',
  },
  format: { takes: 'format', about: 'what stdout gets: text or json', value: format, usual: 'text' },
} as const satisfies Flags;
