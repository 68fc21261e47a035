import { createSocket } from 'node:dgram';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { checkPlanSchema, connectionsOf } from '../../server-setup/network/check/check-plan.js';
import { measureLink } from '../../server-setup/network/check/link-end.js';
import { readPort } from '../options/values.js';
import type { ToolProcess } from '../process.js';

/** Not for people: the end of a link that is inside a network, while the link is being measured. */
export function addLinkEnd(program: Command, tool: ToolProcess): void {
  program
    .command('link-end', { hidden: true })
    .summary('one end of a link that is being measured; started by find and try')
    .argument('<address>')
    .argument('<port>')
    .argument('<plan>')
    .addHelpText('after', '\nExamples:\n  loadline link-end 10.192.0.1 40000 \'{"up":…,"down":…,"drainMs":800}\'')
    .action(async (address: string, port: string, plan: string) => {
      const ended = new AbortController();
      // Whoever started it is gone: nobody waits for the measure.
      tool.onStdinEnd(() => ended.abort(new Error('standard input ended')));
      const peer = { address, port: readPort(port, 'port') };
      const asked = readPlan(plan);
      const sockets = Array.from({ length: connectionsOf(asked) }, () =>
        createSocket({ type: 'udp4', recvBufferSize: 1_000_000 }),
      );
      try {
        const measure = await measureLink(sockets, asked, { sends: 'up', peer }, ended.signal);
        tool.stdout.write(`${JSON.stringify(measure)}\n`);
      } finally {
        for (const socket of sockets) socket.close();
      }
    });
}

function readPlan(text: string) {
  try {
    return checkPlanSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new LoadlineError('E_USAGE', 'The plan of the check cannot be read.', { where: text.slice(0, 200), cause });
  }
}
