import { z } from 'zod';
import { given } from '../../model/given.js';
import { layerFaults } from '../../model/layer.js';
import { rateText } from '../../model/units.js';
import type { ServerKind } from '../server-kind.js';
import { embeddedAbilities } from './abilities.js';
import { serveTokenName } from './embedded-arguments.js';
import { limitOptions } from './limits.js';

const positive = z.number().positive();
const settings = z.object({
  egressLimitBps: positive.optional(),
  /** Cores of CPU for the server and its mixers together. */
  cpuLimitCores: positive.optional(),
  answersPerSecond: positive.optional(),
  layerFault: z.enum(layerFaults).optional(),
});

/** The media server of this repository, as a process of the run. */
export const embeddedKind: ServerKind = {
  name: 'embedded',
  inWords: 'the embedded server',
  nature: 'for-trying',
  place: { by: 'start' },
  options: limitOptions,
  abilities: embeddedAbilities,
  settings,
  programs: [
    {
      file: 'gst-launch-1.0',
      name: 'GStreamer',
      neededFor: 'rooms that the embedded server mixes',
      install: 'apt-get install gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good',
    },
  ],
  environment: [{ name: serveTokenName, about: 'the token that clients of loadline serve must name' }],
  planned: (server) => {
    const { egressLimitBps, cpuLimitCores } = settings.parse(server);
    const link = egressLimitBps === undefined ? '' : `, its up-link limited to ${rateText(egressLimitBps)}`;
    const cpu =
      cpuLimitCores === undefined
        ? ''
        : `, its CPU limited to ${cpuLimitCores} ${cpuLimitCores === 1 ? 'core' : 'cores'}`;
    return `the embedded media server on this machine${link}${cpu}`;
  },
  prepare: async (asked, host) => {
    const { prepareEmbedded } = await import('./prepare.js');
    await prepareEmbedded(asked, host);
  },
  make: async ({ plan, server, selfCommand, listenOn }) => {
    const { EmbeddedProcess, steadyHeapFlags } = await import('./embedded-process.js');
    const { egressLimitBps, cpuLimitCores, answersPerSecond, layerFault } = settings.parse(server);
    const [node = '', ...script] = selfCommand;
    return new EmbeddedProcess({
      command: [node, ...steadyHeapFlags, ...script],
      record: plan.record === true,
      videoKbps: plan.media.videoKbps,
      followEstimates: plan.networks !== undefined,
      ...given({ host: listenOn, egressLimitBps, cpuLimitCores, answersPerSecond }),
      imitating: layerFault === undefined ? [] : ['--layer-fault', layerFault],
    });
  },
};
