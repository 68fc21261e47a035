import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadJoinScript } from '../../probes/visit/join-script.js';
import { aVisit } from './a-visit.js';

/**
 * A program of its own, for tests: two participants join by a script that may never give way. Its last line says how it
 * ended.
 */
const [path = '', watchdogPath = '', boundMs = '', stopMs = ''] = process.argv.slice(2);
const script = await loadJoinScript(path, {
  end: (stuck) => {
    writeSync(1, `stuck ${JSON.stringify(stuck)}\n`);
    process.exit(1);
  },
  lastWords: (stuck) => `killed ${JSON.stringify(stuck)}\n`,
  leastMs: 100,
  stopMs: Number(stopMs),
  watchdogPath,
});
const join = (participant: string) => script.join({ ...aVisit(), participant, page: {} as never }, Number(boundMs));
await Promise.all(['1a', '1b'].map(join));
await sleep(3 * Number(boundMs));
writeSync(1, 'joined\n');
process.exit(0);
