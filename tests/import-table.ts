import { importsOf, type SourceFile } from './source-files.js';

/** What the files of one folder may import. */
interface ImportRule {
  readonly folder: string;
  /** Folders, with all that is in them. */
  readonly folders: readonly string[];
  /** Interface files of other folders, for their types alone. */
  readonly types?: readonly string[];
  readonly packages: readonly string[];
  readonly node: boolean;
}

/** The rooms of the analysis, and which others each may import; none imports one that imports it. */
const analysisRooms: Readonly<Record<string, readonly string[]>> = {
  statistics: [],
  correlation: [],
  wording: [],
  measure: ['statistics', 'wording'],
  arrivals: ['measure', 'statistics'],
  judge: ['arrivals', 'measure', 'statistics', 'wording'],
  search: ['judge', 'measure', 'statistics'],
  needs: ['judge', 'measure', 'search', 'statistics'],
  monitor: ['judge', 'measure', 'statistics', 'wording'],
  compare: ['judge', 'measure', 'search', 'statistics', 'wording'],
  capacity: ['compare', 'judge', 'measure', 'search', 'statistics', 'wording'],
  study: ['compare', 'judge', 'measure', 'search', 'statistics', 'wording'],
  report: [
    'arrivals',
    'capacity',
    'compare',
    'correlation',
    'judge',
    'measure',
    'monitor',
    'search',
    'statistics',
    'study',
    'wording',
  ],
};
const ofAnalysis = (rooms: readonly string[]) => rooms.map((room) => `analysis/${room}`);
const analysis = ofAnalysis(Object.keys(analysisRooms));

/** The longest folder that a path begins with is its rule. What is not listed (tests, bench, set-up) may import all. */
export const importTable: readonly ImportRule[] = [
  { folder: 'model', folders: [], packages: ['zod'], node: false },
  { folder: 'host', folders: [], packages: ['koffi'], node: true },
  { folder: 'rtp', folders: ['model', 'host'], packages: ['werift'], node: true },
  { folder: 'scenarios', folders: ['model'], packages: [], node: false },
  ...Object.entries(analysisRooms).map(([room, others]) => ({
    folder: `analysis/${room}`,
    folders: ['model', ...ofAnalysis(others)],
    packages: [],
    node: false,
  })),
  {
    folder: 'probes',
    folders: ['model', 'host'],
    types: ['probes/page/wire.ts'],
    packages: ['playwright-core'],
    node: true,
  },
  {
    folder: 'probes/hosts',
    folders: ['model', 'host', 'probes'],
    packages: ['@nats-io/jetstream', '@nats-io/transport-node', 'zod'],
    node: true,
  },
  {
    folder: 'probes/visit',
    folders: ['model', 'host', 'probes'],
    types: ['probes/page/visit/wire.ts', 'probes/page/wire.ts'],
    packages: ['playwright-core', 'esbuild'],
    node: true,
  },
  {
    folder: 'probes/native',
    folders: ['model', 'host', 'probes', 'probes/page', 'rtp'],
    packages: ['zod'],
    node: true,
  },
  { folder: 'probes/page', folders: ['model'], packages: [], node: false },
  {
    folder: 'server-setup',
    folders: ['model', 'host'],
    packages: ['@livekit/protocol', 'werift', 'ws', 'zod'],
    node: true,
  },
  { folder: 'embedded-server', folders: ['model', 'host', 'rtp'], packages: ['werift', 'ws', 'zod'], node: true },
  { folder: 'alerts', folders: ['model', 'host'], packages: ['nodemailer'], node: true },
  {
    folder: 'store',
    folders: ['model', 'host'],
    packages: [
      '@influxdata/influxdb-client',
      '@opentelemetry/otlp-transformer',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      'snappyjs',
      'zod',
    ],
    node: true,
  },
  {
    folder: 'trial',
    folders: ['model', ...analysis],
    types: ['probes/fleet.ts', 'server-setup/media-server.ts', 'server-setup/turn/turn-relay.ts', 'store/sink.ts'],
    packages: [],
    node: true,
  },
  {
    folder: 'simulation',
    folders: ['model', 'probes'],
    types: ['server-setup/media-server.ts', 'trial/parts.ts'],
    packages: [],
    node: true,
  },
  { folder: 'report', folders: ['model', ...analysis, 'report/wire'], packages: [], node: true },
  { folder: 'report/page', folders: ['report/wire'], packages: ['uplot'], node: false },
  { folder: 'report/wire', folders: [], packages: [], node: false },
  {
    folder: 'cli',
    folders: [
      'model',
      'host',
      'scenarios',
      ...analysis,
      'alerts',
      'embedded-server',
      'probes',
      'probes/hosts',
      'probes/visit',
      'probes/native',
      'report',
      'server-setup',
      'simulation',
      'store',
      'trial',
    ],
    packages: ['commander', 'croner', 'picocolors', 'playwright-core', 'yaml', 'zod'],
    node: true,
  },
];

/** A sentence for each import that its folder may not have. */
export function brokenImports(file: SourceFile, table: readonly ImportRule[] = importTable): string[] {
  const rule = ruleOf(file.path, table);
  if (!rule) return [];
  const may = [...rule.folders, ...(rule.types ?? []).map((path) => `types of ${path}`), ...rule.packages];
  const allowed = may.length === 0 ? 'nothing' : may.join(', ');
  return importsOf(file)
    .filter(({ target, typeOnly }) => !isAllowed(rule, target, typeOnly, table))
    .map(({ target }) => `${file.path} imports ${target}; ${rule.folder} may import: ${allowed}`);
}

function isAllowed(rule: ImportRule, target: string, typeOnly: boolean, table: readonly ImportRule[]): boolean {
  if (target.startsWith('node:')) return rule.node;
  if (!target.includes('/') || target.startsWith('@')) return rule.packages.includes(target);
  if (typeOnly && rule.types?.includes(target)) return true;
  const home = ruleOf(target, table);
  return home !== undefined && (home.folder === rule.folder || rule.folders.includes(home.folder));
}

function ruleOf(path: string, table: readonly ImportRule[]): ImportRule | undefined {
  return table
    .filter(({ folder }) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}
