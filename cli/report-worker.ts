import { parentPort, workerData } from 'node:worker_threads';
import { type FoldPart, foldPart } from './report/fold-part.js';

/** A program of its own: one of the threads that fold the samples of a large trial for its report. */
const folded = await foldPart(workerData as FoldPart);
const { over, under } = folded.sums;
parentPort?.postMessage(folded, [over.buffer, under.buffer]);
