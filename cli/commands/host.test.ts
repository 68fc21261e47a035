import { expect, test } from '@playwright/test';
import { fakeProcess } from '../../tests/cli/fake-process.js';
import { runCommandLine } from '../command-line.js';

for (const [what, args, env, message] of [
  ['no network', ['--allow', '10.0.0.0/24,nowhere/8'], {}, '--allow must name addresses, networks or names'],
  ['a network of too many bits', ['--allow', '10.0.0.0/33'], {}, '--allow must name addresses, networks or names'],
  ['an address with a port', [], { LOADLINE_ALLOW: '10.0.0.1:80 ' }, '--allow must name addresses, networks or names'],
  ['no duration', ['--drain', 'long'], {}, '--drain'],
  ['a name of several words', ['--name', 'a b'], {}, '--name must be a short name'],
] as const) {
  test(`a host with ${what} is not offered`, async () => {
    const tool = fakeProcess({ args: ['host', '--bus', 'nats://127.0.0.1:1', ...args], env });
    expect(await runCommandLine(tool)).toBe(2);
    expect(tool.written.stderr()).toContain(message);
  });
}
