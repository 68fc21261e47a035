import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { Plan } from '../../model/plan.js';
import { networkPresetNames } from '../networks/presets.js';
import { readNetworks } from '../networks/read-networks.js';

/** The networks of the participants, as words. */
export interface NetworkFlags {
  readonly network?: string;
  readonly absoluteLimits?: boolean;
}

export function addNetworkFlags(command: Command): Command {
  const presets = networkPresetNames.join(', ');
  return command
    .option(
      '--network <profile>',
      `impair the probes' links (as root): ${presets}, or "40ms 5ms, 2% loss, 1mbit"; groups: "90% clean, 10% poor-3g"`,
    )
    .option(
      '--absolute-limits',
      'with --network: limits as they are written, not counted from what the link itself does',
    );
}

/** Throws E_NETWORK, E_DURATION, E_USAGE. */
export function readNetworkFlags({ network, absoluteLimits }: NetworkFlags): Pick<Plan, 'networks' | 'absoluteLimits'> {
  if (network !== undefined) {
    const absolute = absoluteLimits === true ? { absoluteLimits: true } : {};
    return { networks: readNetworks(network, '--network'), ...absolute };
  }
  if (absoluteLimits !== true) return {};
  throw new LoadlineError('E_USAGE', '--absolute-limits does nothing without --network.', {
    where: '--absolute-limits',
    todo: 'leave it out, or add --network',
  });
}
