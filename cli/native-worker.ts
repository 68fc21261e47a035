import { NativeWorker } from '../probes/native/worker.js';
import type { Channel, FromWorker, ToWorker } from '../probes/native/worker-wire.js';
import { channelToParent } from './process.js';

/** A program of its own: it plays native probes for the process that has started it, and ends when that does. */
const channel: Channel<FromWorker, ToWorker> = channelToParent();
new NativeWorker(channel);
