import { hasVmaf } from '../../host/find-vmaf.js';
import type { Plan } from '../../model/plan.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';

/** Throws E_USAGE for a limit on VMAF where this host's probes cannot have it. Other hosts have their own programs. */
export async function ensureVmaf({ thresholds, hosts }: Plan, { env }: ToolProcess): Promise<void> {
  const limits = (thresholds.also ?? []).flatMap((rule) =>
    rule.of === 'stream' && (rule.aggregate === 'vmaf' || rule.aggregate === 'vmafP5') ? [rule.text] : [],
  );
  const [first] = limits;
  if (first === undefined || hosts || (await hasVmaf(env))) return;
  throw usageError(
    `Nothing measures what "${first}" limits.`,
    ['--threshold'],
    [{ leave: limits }, 'put an ffmpeg with the filter libvmaf first in PATH'],
    'no ffmpeg with the filter libvmaf was found in PATH',
  );
}
