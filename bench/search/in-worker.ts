import { Worker } from 'node:worker_threads';

/** What a program answers that is given a part of its work in a thread of its own. */
export function inWorker<Answer>(program: string, part: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(program), { workerData: part });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
