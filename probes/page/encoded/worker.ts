import { type Clip, unpackClip } from './clip-file.js';
import { type EncodedFrame, type FrameHandler, frameHandler } from './frame-handler.js';
import { FramePhases, type Timers } from './frame-phases.js';
import { startHeartbeat } from './heartbeat.js';
import { pump, type WorkerScope } from './worker-scope.js';
import type { FromWorker, StreamOrder, ToWorker } from './worker-wire.js';

export type EncodedScope = WorkerScope<ToWorker, FromWorker, EncodedFrame, StreamOrder>;

/** From one packet of sound to the next. */
const soundMs = 20;

/** Runs in the one worker of a page: loads the clip, then handles the frames of every stream that is handed to it. */
export function runWorker(scope: EncodedScope): void {
  const handlers = new Map<string, FrameHandler>();
  const heartbeat = startHeartbeat();
  let clip: Clip | undefined;
  let phases: Readonly<Record<StreamOrder['kind'], FramePhases>> | undefined;
  const load = async (from: string): Promise<void> => {
    try {
      clip = unpackClip(new Uint8Array(await (await fetch(from)).arrayBuffer()));
      phases = {
        video: new FramePhases(1000 / clip.framesPerSecond, timers),
        audio: new FramePhases(soundMs, timers),
      };
      scope.postMessage({ said: 'loaded', rungsKbps: clip.rungs.map(({ kbps }) => kbps) });
    } catch (error) {
      scope.postMessage({ said: 'broken', why: String(error) });
    }
  };
  scope.onmessage = ({ data }) => {
    if (data.tell === 'load') void load(data.clip);
    else if (data.tell === 'rung') handlers.get(data.stream)?.want(data.rung);
    else if (data.tell === 'forget') for (const stream of data.streams) handlers.delete(stream);
    else {
      const streams = new Map([...handlers].map(([stream, handler]) => [stream, handler.count()]));
      scope.postMessage({ said: 'report', report: { lateMs: heartbeat.takeLateMs(), streams } });
    }
  };
  scope.onrtctransform = ({ transformer }) => {
    const { options } = transformer;
    if (!clip) return;
    const handler = frameHandler(options, clip, () =>
      scope.postMessage({ said: 'key-frame-wanted', stream: options.stream }),
    );
    handlers.set(options.stream, handler);
    // The streams end with the connection, by an error or by `done`: both are the end of this stream and no fault.
    const isSent = options.direction === 'send';
    const when = (isSent && phases?.[options.kind].next()) || atOnce;
    pump(transformer, (frame, write) => {
      handler.handle(frame);
      when(() => {
        handler.leave?.(frame);
        write();
      });
    }).catch(() => undefined);
  };
}

type Send = (send: () => void) => void;
const atOnce: Send = (send) => send();

const timers: Timers = {
  after: (ms, call) => {
    setTimeout(call, ms);
  },
};
