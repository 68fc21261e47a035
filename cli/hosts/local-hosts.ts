import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { atMost } from '../../host/bounded-wait.js';
import { endOf, onLines, signalGroup } from '../../host/child-processes.js';
import type { HostLinks } from '../../server-setup/network/host-links.js';
import type { ToolProcess } from '../process.js';
import { type LocalBus, startLocalBus } from './local-bus.js';

/** So many probe hosts on this machine, with a bus of their own: for trying out what many machines do. */
export type LocalHosts = Awaited<ReturnType<typeof startLocalHosts>>;

const endWithinMs = 10_000;

/** What they are offered with, beside their names. */
interface LocalHostsOptions {
  readonly chromium: string;
  /** Flags of `loadline host` that say which web app they visit. */
  readonly visit: readonly string[];
  readonly links?: HostLinks | undefined;
}

/** Starts the bus and the agents, on their links or this machine's network; all end with us. Throws E_BUS. */
export async function startLocalHosts(count: number, options: LocalHostsOptions, tool: ToolProcess) {
  const { chromium, visit, links } = options;
  const bus = await startLocalBus(tool.env, { address: links?.address });
  const agents = Array.from({ length: count }, (_, nth) =>
    startAgent(
      { name: `local-${nth + 1}`, inside: links?.inside(nth) ?? [] },
      bus,
      ['--chromium', chromium, ...visit],
      tool,
    ),
  );
  return {
    bus,
    /** The last that each has said, for whoever wants to know why it is not there. */
    lastWords: () => agents.flatMap(({ words }) => words.slice(-1)).join('\n'),
    close: async () => {
      await Promise.all(agents.map((agent) => agent.end()));
      await bus.close();
    },
  };
}

/** `inside`: words in front of its own that start it in its network; none: in that of this machine. */
function startAgent(
  { name, inside }: { readonly name: string; readonly inside: readonly string[] },
  { url, token }: LocalBus,
  more: readonly string[],
  { selfCommand, env }: ToolProcess,
) {
  const [program = 'node', ...args] = [...inside, ...selfCommand];
  const flags = ['--bus', url, '--name', name, ...more, '--exit-with-stdin'];
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, [...args, 'host', ...flags], {
    // A group of its own, so that Ctrl-C reaches us alone and it is ended in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing that is meant for other buses concerns them.
    env: {
      ...env,
      LOADLINE_BUS_TOKEN: token,
      NATS_CREDS: '',
      LOADLINE_BUS_CA: '',
      LOADLINE_BUS_CERT: '',
      LOADLINE_ALLOW: '',
    },
  });
  child.stdin.on('error', () => undefined);
  const words: string[] = [];
  onLines([child.stdout, child.stderr], (line) => {
    words.push(`${name}: ${line}`);
    if (words.length > 5) words.shift();
  });
  const ended = endOf(child);
  return {
    words,
    end: async () => {
      child.stdin.end();
      const { inTime } = await atMost(endWithinMs, ended);
      if (!inTime) signalGroup(child.pid);
      await ended;
    },
  };
}
