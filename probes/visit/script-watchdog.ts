/**
 * A thread of its own, which sees that a join script does not give way (`while (true) {}`): the event loop of the
 * process has stood still for longer than the script has to join. It stops the script as a debugger does, and has the
 * process end itself from there.
 */
import { writeSync } from 'node:fs';
import { type Debugger, type InspectorNotification, Session } from 'node:inspector';
import { pid } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { killNow } from '../../host/processes.js';
import { scriptFileBegin, stuckHandler, type WatchedProcess, type WatchOrder } from './script-watch-wire.js';

const checkMs = 200;
/** A loop of promises is stopped inside of Node as often as inside of the script, which comes a few steps later. */
const mostStops = 200;

const { pulse } = workerData as WatchedProcess;
const beats = new Int32Array(pulse);
let order: WatchOrder | undefined;
let lastBeat = 0;
/** Checks since the last beat: these are counted and not timed, because all stand still while a machine sleeps. */
let still = 0;
let session: Session | undefined;

parentPort?.on('message', (told: WatchOrder) => {
  order = told;
});

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  still = beat === lastBeat ? still + 1 : 0;
  lastBeat = beat;
  if (!order) return;
  if (still === 0) letGo();
  else if (still * checkMs > order.boundMs + order.stopMs) endFromOutside(order);
  else if (still * checkMs > order.boundMs) session ??= stop();
}, checkMs);

/** Asks for a stop wherever the process is. */
function stop(): Session {
  const urls = new Map<string, string>();
  let stops = 0;
  const made = new Session();
  made.connectToMainThread();
  made.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  made.on('Debugger.paused', ({ params: { callFrames } }: InspectorNotification<Debugger.PausedEventDataType>) => {
    const frame = callFrames.find(({ location }) => urls.get(location.scriptId)?.includes(scriptFileBegin));
    stops += 1;
    if (frame) endInside(made, frame, urls.get(frame.location.scriptId) ?? '');
    // Beyond that, whatever it is, it is no script.
    else made.post(stops < mostStops ? 'Debugger.stepInto' : 'Debugger.resume');
  });
  made.post('Debugger.enable');
  made.post('Debugger.pause');
  return made;
}

function endInside(stopped: Session, { callFrameId, location }: Debugger.CallFrame, url: string): void {
  const place = `${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`;
  const expression = `globalThis.${stuckHandler}(${JSON.stringify(place)})`;
  stopped.post('Debugger.evaluateOnCallFrame', { callFrameId, expression });
}

/** The process goes on: it was none of ours, or it has come to its end. */
function letGo(): void {
  session?.disconnect();
  session = undefined;
}

/** It waits in what no debugger can stop. Its browsers end when their control pipes close. */
function endFromOutside({ lastWords }: WatchOrder): void {
  try {
    writeSync(2, lastWords);
  } finally {
    killNow(pid);
  }
}
