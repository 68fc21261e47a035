import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planSchema } from '../../model/plan.js';
import { BrowserSet } from '../../probes/chromium/browser-set.js';
import { mediaFiles } from '../../probes/chromium/media/media-files.js';
import { HostMeter } from '../../probes/ledger/host-meter.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { browsersPss, mean } from './readings.js';

const settleMs = 8_000;

interface IdleBrowser {
  readonly cores: number;
  readonly pssMb: number;
}

/** One browser with one page, its camera and microphone open, and no probe: what probes come on top of. */
export async function idleBrowser(chromiumPath: string, pageScript: string, seconds: number): Promise<IdleBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
  const { media } = planSchema.parse({ scenario: oneToOne.name, server: { kind: 'embedded' } });
  const browsers = new BrowserSet({
    browser: { chromiumPath, temporaryRoot: folder },
    files: await mediaFiles(join(tmpdir(), 'loadline-bench-cache'), media),
    script: await readFile(pageScript, 'utf8'),
    media,
    clock: 0,
    sendingPages: new Set([0]),
    onCall: async () => null,
    onEvent: () => undefined,
    onLost: () => undefined,
  });
  try {
    await browsers.launch([{ pages: [0] }], 1);
    const meter = new HostMeter();
    meter.watch(browsers.roots());
    await sleep(settleMs);
    await meter.read();
    const readings = [];
    for (let second = 0; second < seconds; second += 1) {
      await sleep(1000);
      const reading = await meter.read();
      if (reading) readings.push(reading);
    }
    return {
      cores: mean(readings.map(({ probeCores }) => probeCores)),
      pssMb: await browsersPss(folder),
    };
  } finally {
    await browsers.close();
    await rm(folder, { recursive: true, force: true });
  }
}
