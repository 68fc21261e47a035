import { expect, test } from '@playwright/test';
import { type Script, scriptedJanus } from '../scripted-janus.js';
import { runHere } from './run-here.js';

/** What `doctor` says of a Janus whose Admin API takes one secret. */
async function told(secret: string | undefined): Promise<string> {
  const script: Script = ({ janus, admin_secret: given }) =>
    janus === 'list_sessions' && given !== 'right'
      ? [{ janus: 'error', error: { code: 403, reason: 'Unauthorized request (wrong or missing secret/token)' } }]
      : undefined;
  const place = await scriptedJanus(script);
  try {
    const asked = ['--server', place.url, '--janus-admin', `ws://127.0.0.1:${place.port}`, '--chromium', '/none'];
    const env: Record<string, string> = secret === undefined ? {} : { LOADLINE_JANUS_ADMIN_SECRET: secret };
    const { stdout, stderr } = await runHere(['doctor', ...asked], { env: { PATH: process.env.PATH ?? '', ...env } });
    // Other tests leave what doctor removes, and says so.
    expect(stderr.replace(/^Removed what .*\n/gm, '')).toBe('');
    return stdout.replace(/\s+/g, ' ');
  } finally {
    await place.close();
  }
}

test('doctor takes the address of an Admin API, and says whether it answers and what to do', async () => {
  const [right, none, wrong] = [await told('right'), await told(undefined), await told('wrong')];
  expect(right).toMatch(/✓ its Admin API answers at ws:\/\/127\.0\.0\.1:\d+, with the secret of LOADLINE_JANUS_ADMIN/);
  expect(none).toMatch(
    /! its Admin API is not asked: LOADLINE_JANUS_ADMIN_SECRET is not set .*set it to the admin_sec/,
  );
  expect(wrong).toMatch(/✗ .*The secret is wrong or missing.* set LOADLINE_JANUS_ADMIN_SECRET to the admin_secret/);
});

test('doctor refuses the address of an Admin API for a server that has none', async () => {
  const { exitCode, stderr } = await runHere(['doctor', '--janus-admin', 'ws://10.0.0.5:7188']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_USAGE: --janus-admin is for a Janus.');
});

test('doctor takes the process and the network that find takes, and says of each whether it would do', async () => {
  const place = await scriptedJanus(() => undefined);
  const told = async (...more: readonly string[]) => {
    const { stdout, stderr } = await runHere(['doctor', '--server', place.url, '--chromium', '/none', ...more]);
    return { stderr, lines: stdout.replace(/\n {6,}/g, ' ').split('\n') };
  };
  try {
    const { lines } = await told();
    const unknown = lines.find((line) => line.includes('CPU and memory are not known'));
    const [, remedy = ''] = /do +add (--server-pid port:\d+) /.exec(unknown ?? '') ?? [];
    expect(remedy).toBe(`--server-pid port:${place.port}`);
    const known = (await told(...remedy.split(' '))).lines;
    expect(known).toContainEqual(expect.stringContaining(`read from its process, ${process.pid}`));
    const impaired = (await told('--network', 'wifi')).lines;
    expect(impaired.filter((line) => line.includes('impaired networks'))).not.toContainEqual(
      expect.stringContaining('needed for --network only: '),
    );
    expect((await told('--network', 'wif')).stderr).toContain('There is no network "wif"');
    expect((await told('--server-pid', 'x')).stderr).toContain('--server-pid cannot read "x"');
  } finally {
    await place.close();
  }
});
