import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { runLoadline } from '../tests/cli/run-loadline.js';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('the CronJob never overlaps, never repeats a run, and calls the monitor as its help says', async () => {
  const job = parse(read('loadline-monitor-cronjob.yaml'));
  expect(job).toMatchObject({ apiVersion: 'batch/v1', kind: 'CronJob', spec: { concurrencyPolicy: 'Forbid' } });
  const { spec } = job.spec.jobTemplate;
  expect(spec.backoffLimit).toBe(0);
  expect(spec.template.spec.restartPolicy).toBe('Never');
  const [container] = spec.template.spec.containers;
  const mounted = new Set(container.volumeMounts.map(({ name }: { name: string }) => name));
  expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(mounted).toEqual(new Set(spec.template.spec.volumes.map(({ name }: { name: string }) => name)));
  await assertFlagsAreKnown(container.args);
});

test('what the units write has folders of their own, and what is run is seen by them: no home is', () => {
  for (const name of ['loadline-monitor.service', 'loadline-host.service']) {
    const unit = read(name);
    expect(unit).toMatch(/^StateDirectory=loadline$/m);
    expect(unit).toMatch(/^CacheDirectory=loadline$/m);
    expect(unit).toMatch(/^Environment=XDG_CACHE_HOME=\/var\/cache XDG_STATE_HOME=\/var\/lib$/m);
    expect(unit).toMatch(/^ExecStart=\/opt\//m);
  }
});

test('the unit calls the monitor as its help says, and gives a run time to end', async () => {
  const unit = read('loadline-monitor.service');
  const [, command = ''] = /^ExecStart=\S+ (.*)$/m.exec(unit) ?? [];
  await assertFlagsAreKnown(command.split(' '));
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(60);
});

async function assertFlagsAreKnown(args: readonly string[]): Promise<void> {
  expect(args[0]).toBe('monitor');
  const { stdout } = await runLoadline(['monitor', '--help']);
  for (const flag of args.filter((word) => word.startsWith('--'))) expect(stdout).toContain(`  ${flag} `);
}
