/**
 * What calls over links that lose packets are like on the embedded server, beside Debian's Janus on the same links.
 * Each cell is one `loadline try`; cells that RESULTS has are not measured again, so that the table can be made in
 * pieces, and printed again by the same command. Usage: node dist/bench/lossy-links.js RESULTS.json [NAME=VALUE,VALUE
 * …], of server=embedded,janus calls=1,3 loss=1,3,8 rtt=20,80,200 recorded=no,yes. Needs root, ffprobe, a janus, and a
 * quiet machine.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { z } from 'zod';
import { hasJanus, type RealJanus, realJanus } from '../tests/real-janus.js';
import { type Cell, type CellKey, cellSchema, cellsTable, keyText } from './lossy/cells.js';
import { measureCell } from './lossy/measure-cell.js';

const [, , file = 'lossy-links.json', ...words] = argv;
const choices: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  words.map((word) => [word.split('=')[0], (word.split('=')[1] ?? '').split(',')]),
);
const chosen = (name: string, usual: string): readonly string[] => choices[name] ?? usual.split(',');

/** What matters most first: one call on every link, then three, then recorded ones. */
function wanted(): readonly CellKey[] {
  const { server } = z
    .object({ server: z.array(cellSchema.shape.server) })
    .parse({ server: chosen('server', 'embedded,janus') });
  return chosen('recorded', 'no,yes').flatMap((recorded) =>
    chosen('calls', '1,3').flatMap((calls) =>
      chosen('loss', '1,3,8').flatMap((loss) =>
        chosen('rtt', '20,80,200').flatMap((roundTrip) =>
          server.map((name) => ({
            server: name,
            calls: Number(calls),
            lossPercent: Number(loss),
            roundTripMs: Number(roundTrip),
            recorded: recorded === 'yes',
          })),
        ),
      ),
    ),
  );
}

const stored = await readFile(file, 'utf8').catch(() => '[]');
const cells: Cell[] = z.array(cellSchema).parse(JSON.parse(stored));
const missing = wanted().filter((key) => !cells.some((cell) => keyText(cell) === keyText(key)));
let janus: RealJanus | undefined;
// It is a process group of its own, which a signal for this one does not reach.
process.once('SIGTERM', () => void Promise.resolve(janus?.close()).finally(() => process.exit(1)));
try {
  for (const key of missing) {
    if (key.server === 'janus' && !(await hasJanus())) continue;
    if (key.server === 'janus') janus ??= await realJanus();
    const cell = await measureCell(key, key.server === 'janus' ? janus?.url : undefined);
    cells.push(cell);
    await writeFile(file, `${JSON.stringify(cells, null, 1)}\n`);
    console.error(`${keyText(key)}: ${JSON.stringify(cell.figures ?? cell.why)}`);
  }
} finally {
  await janus?.close();
}
console.log(cellsTable(cells));
