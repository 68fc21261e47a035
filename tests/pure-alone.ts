import childProcess, { ChildProcess } from 'node:child_process';
import { Socket } from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import { _baseTest, expect } from 'playwright/test';

const isGuarded = Symbol.for('loadline: pure tests start nothing');

/**
 * A pure test that starts a process or opens a port fails by that, also where what it tests takes no notice of an
 * error. esbuild is let be: it is a process only because it is written in Go.
 */
export function failPureTestsThatStartSomething(): void {
  if (Reflect.get(globalThis, isGuarded)) return;
  Reflect.set(globalThis, isGuarded, true);
  guard(ChildProcess.prototype, 'spawn', (options) => `a process of ${Reflect.get(Object(options), 'file')}`);
  for (const name of ['spawnSync', 'execFileSync', 'execSync'])
    guard(childProcess, name, (file) => `a process of ${file}`);
  guard(Server.prototype, 'listen', () => 'a server');
  guard(Socket.prototype, 'bind', () => 'a UDP port');
  syncBuiltinESMExports();
}

function guard(of: object, name: string, what: (first: unknown) => string): void {
  const own: unknown = Reflect.get(of, name);
  if (typeof own !== 'function') throw new Error(`there is no ${name}`);
  Reflect.set(of, name, function guarded(this: unknown, ...given: unknown[]) {
    const started = what(given[0]);
    if (isPure() && !/[/\\]@?esbuild[/\\]/.test(started))
      expect.soft(started, 'A test that starts something is in a file named *.process.test.ts').toBe('nothing');
    return Reflect.apply(own, this, given);
  });
}

/** Outside of a test there is nothing to fail. */
function isPure(): boolean {
  try {
    return _baseTest.info().project.name === 'pure';
  } catch {
    return false;
  }
}
