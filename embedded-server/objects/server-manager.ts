import { cpuUsage, memoryUsage } from 'node:process';
import { coreCount, coresHeldTo } from '../../host/core-count.js';
import { integerOf, stringOf } from '../rpc/parameters.js';
import { wrongParameter } from '../rpc/rpc-error.js';
import {
  bindOperation,
  MediaObject,
  mediaObjectOperations,
  type Operation,
  type Operations,
  type ServerContext,
} from './media-object.js';

/** Kurento's version whose protocol is spoken, in the form that clients check. */
const protocolVersion = '7.3.0';

const serverManagerId = 'manager_ServerManager';

/** Module by module, what can be created. kurento-client refuses a server without all three modules. */
export type Factories = Readonly<Record<'core' | 'elements' | 'filters', readonly string[]>>;

export class ServerManager extends MediaObject {
  readonly type = 'ServerManager';
  readonly hierarchy = ['kurento.MediaObject'];
  readonly events = ['ObjectCreated', 'ObjectDestroyed', 'Error'];
  readonly factories: Factories;

  constructor(context: ServerContext, factories: Factories) {
    super(context, undefined, serverManagerId);
    this.factories = factories;
  }

  protected override operation(name: string): Operation | undefined {
    return bindOperation<ServerManager>(serverManagerOperations, this, name);
  }
}

const moduleInfo = (name: string, factories: readonly string[]) => ({
  __module__: 'kurento',
  __type__: 'ModuleInfo',
  factories,
  generationTime: 'Jan 01 2026 00:00:00',
  name,
  version: protocolVersion,
});

const serverManagerOperations: Operations<ServerManager> = {
  ...mediaObjectOperations,
  getInfo: (manager) => ({
    __module__: 'kurento',
    __type__: 'ServerInfo',
    capabilities: ['transactions'],
    modules: Object.entries(manager.factories).map(([name, factories]) => moduleInfo(name, factories)),
    type: 'KMS',
    version: protocolVersion,
  }),
  getPipelines: (manager) => manager.context.pipelines(),
  getSessions: (manager) => manager.context.sessions(),
  /** Tells a client that this is not a Kurento, which answers this with an empty text. */
  getMetadata: ({ context }) => JSON.stringify({ server: 'loadline-embedded', version: context.version }),
  /** No operation of Kurento's, which writes wherever it is told to: the one folder for recordings, or null. */
  getRecordingFolder: ({ context }) => context.recordIn,
  getKmd: (manager, parameters) => {
    const name = stringOf(parameters, 'moduleName');
    if (!Object.hasOwn(manager.factories, name)) throw wrongParameter('moduleName', 'string');
    return JSON.stringify({ name, version: protocolVersion, remoteClasses: [] });
  },
  getCpuCount: () => coresHeldTo('self', undefined) ?? coreCount(),
  getUsedCpu: (_manager, parameters) => usedCpuPercent(integerOf(parameters, 'interval')),
  /** In KiB, as Kurento. */
  getUsedMemory: () => Math.round(memoryUsage.rss() / 1024),
};

/** CPU of this process over the next `intervalMs`, in percent of one core; the answer comes after that time. */
async function usedCpuPercent(intervalMs: number): Promise<number> {
  const startedAtMs = performance.now();
  const before = cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, Math.max(1, intervalMs)).unref());
  const used = cpuUsage(before);
  return Math.round((used.user + used.system) / 10 / (performance.now() - startedAtMs));
}
