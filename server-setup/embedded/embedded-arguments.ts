export interface EmbeddedProcessOptions {
  /** What starts the tool itself, for example `['node', 'dist/loadline.js']`; `serve` and its flags are added. */
  readonly command: readonly string[];
  /** Address of this host to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Known limit of everything that the server sends, bits per second. */
  readonly egressLimitBps?: number;
  /** Known limit of its CPU, cores, its mixers included. Needs the right to make cgroups. */
  readonly cpuLimitCores?: number;
  /** Known limit of how many offers it answers per second. */
  readonly answersPerSecond?: number;
  /** Senders follow what is estimated of links; for runs whose links are slow. */
  readonly followEstimates?: boolean;
  /** Cap that senders are told, kbit/s. Default 500. */
  readonly videoKbps?: number;
  /** Flags of `serve` that make it do as other servers do, as they are written there. */
  readonly imitating?: readonly string[];
  readonly record?: boolean;
  /** How long it may take to listen. Default 10 s. */
  readonly startWithinMs?: number;
}

/** The environment variable that holds the token of `loadline serve`. */
export const serveTokenName = 'LOADLINE_SERVE_TOKEN';

/** What `loadline serve` is called with. */
export function serveArguments(options: EmbeddedProcessOptions): readonly string[] {
  const { host, egressLimitBps, cpuLimitCores, answersPerSecond, followEstimates, videoKbps, imitating = [] } = options;
  return [
    ...['serve', '--port', '0', '--exit-with-stdin'],
    ...(host === undefined ? [] : ['--host', host]),
    ...(egressLimitBps === undefined ? [] : ['--egress-limit', `${Math.round(egressLimitBps)}bit`]),
    ...(cpuLimitCores === undefined ? [] : ['--cpu-limit', String(cpuLimitCores)]),
    ...(answersPerSecond === undefined ? [] : ['--answer-rate', String(answersPerSecond)]),
    ...(videoKbps === undefined ? [] : ['--video-kbps', String(videoKbps)]),
    ...(followEstimates === true ? ['--follow-estimates'] : []),
    ...imitating,
  ];
}
