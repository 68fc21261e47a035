import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { withSbin } from '../cli/hosts/local-bus.js';
import { freePort } from './free-port.js';
import { isInstalled } from './installed.js';

export const hasNats = isInstalled(['nats-server'], withSbin(env).PATH);

/** What every one has, whose configuration says nothing else. */
const plainBus = 'jetstream { store_dir: "STORE" }';

/** A nats-server of a test, always at the same place, however often it is killed and started anew. */
export class RealNats {
  private child: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
  ) {}

  static async make(): Promise<RealNats> {
    return new RealNats(await mkdtemp(join(tmpdir(), 'loadline-nats-test-')), await freePort());
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get store(): string {
    return join(this.folder, 'store');
  }

  /** With these lines in its configuration, where `STORE` stands for its folder, and these variables. */
  async start(lines = plainBus, variables: Readonly<Record<string, string>> = {}): Promise<void> {
    const config = join(this.folder, 'nats.conf');
    const own = lines.replace(/^listen: .*$/m, '').replaceAll('STORE', this.store);
    await writeFile(config, `listen: "127.0.0.1:${this.port}"\n${own.replaceAll('/var/lib/nats', this.store)}\n`);
    const child = spawn('nats-server', ['-c', config], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...withSbin(env), ...variables },
    });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Server is ready')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(said)));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Kills it; it can be started anew. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
