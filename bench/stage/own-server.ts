import { dirname, join } from 'node:path';
import { argv, execPath } from 'node:process';
import { EmbeddedProcess, steadyHeapFlags } from '../../server-setup/embedded/embedded-process.js';
import { JanusServer } from '../../server-setup/janus/janus-server.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import { realJanus } from '../../tests/real-janus.js';

interface OwnServer {
  /** Debian's Janus in place of the embedded server. */
  readonly onJanus: boolean;
  readonly videoKbps: number;
  /** In front of its command. */
  readonly inFront?: readonly string[];
  /** Flags of `loadline serve`. */
  readonly imitating?: readonly string[];
}

/** A media server for one kind of probes alone, which ends with what is done on it. */
export async function onOwnServer<Result>(
  { onJanus, videoKbps, inFront = [], imitating = [] }: OwnServer,
  act: (server: MediaServer) => Promise<Result>,
): Promise<Result> {
  // Beside the folder of the bench that runs.
  const loadline = join(dirname(argv[1] ?? ''), '../loadline.js');
  const command = [...inFront, execPath, ...steadyHeapFlags, loadline];
  const janus = onJanus ? await realJanus({}, inFront) : undefined;
  const server = janus
    ? new JanusServer({ url: janus.url, maxVideoKbps: videoKbps, videoCodec: 'vp8' })
    : new EmbeddedProcess({ command, record: false, videoKbps, imitating });
  try {
    return await act(server);
  } finally {
    await server.stop();
    await janus?.close();
  }
}
