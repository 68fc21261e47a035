import { pid } from 'node:process';
import type { Command } from 'commander';
import { isRunning } from '../../host/processes.js';
import { usualLeaseMs } from '../../probes/hosts/lease.js';
import { clearAfter, isFarewell, watchAgent } from '../hosts/watched-agent.js';
import { readCount } from '../options/values.js';
import type { ToolProcess } from '../process.js';

const lookEveryMs = 500;
const pidMost = 4_194_304;

/** Not for people: ends the browsers of a stopped host. Its standard input says that the host still runs. */
export function addHostWatch(program: Command, tool: ToolProcess): void {
  program
    .command('host-watch', { hidden: true })
    .summary(
      'ends what a host has started when the host says nothing, and clears up when it was killed; started by host',
    )
    .argument('<pid>')
    .addHelpText('after', '\nExamples:\n  loadline host-watch 4711')
    .action(async (agent: string) => {
      const ended = new AbortController();
      let heardAtMs = performance.now();
      let hasClearedUp = false;
      tool.onStdinData((said) => {
        heardAtMs = performance.now();
        hasClearedUp ||= isFarewell(said);
      });
      tool.onStdinEnd(() => ended.abort(new Error('the host has ended')));
      const agentPid = readCount(agent, 'pid', { from: 2, to: pidMost });
      await watchAgent({
        agent: agentPid,
        watcher: pid,
        silenceMs: usualLeaseMs,
        lookEveryMs,
        silentForMs: () => performance.now() - heardAtMs,
        signal: ended.signal,
      });
      if (hasClearedUp) return;
      const { removeLeftovers } = await import('../wiring/leftovers.js');
      await clearAfter({
        isRunning: () => isRunning(agentPid),
        removeLeftovers: () => removeLeftovers(tool),
        lookEveryMs,
      });
    });
}
