import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { openNatsBus } from '../../probes/hosts/nats-bus.js';
import { hasNats } from '../../tests/real-nats.js';
import { startLocalBus } from './local-bus.js';

test('a bus of this run lets in who has its token, keeps streams, and leaves nothing behind', async () => {
  test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');
  const folder = await mkdtemp(join(tmpdir(), 'loadline-bus-test-'));
  try {
    const local = await startLocalBus({ ...env, A_LOGIN: 'of somebody' }, { temporaryRoot: folder });
    expect(await readFile(`/proc/${local.pid}/environ`, 'utf8')).not.toContain('A_LOGIN');
    await expect(openNatsBus({ url: local.url, name: 'a stranger' })).rejects.toThrow(/authorization/i);
    const bus = await openNatsBus({ url: local.url, name: 'ours', token: local.token });
    await bus.openStream('told', 'told.*');
    await bus.append('told.a', 'text', 'id', 2000);
    expect(bus.textBytesMax).toBe(8_388_608);
    await bus.close();
    await local.close();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
