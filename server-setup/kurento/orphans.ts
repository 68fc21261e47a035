import { LoadlineError } from '../../model/errors.js';
import type { KurentoCalls } from './kurento-calls.js';
import { serverManagerId } from './kurento-options.js';

/** Ids only: kurento-client's getPipelines describes each, which holds it and prolongs an orphan's life. */
export function pipelinesOf(calls: KurentoCalls, signal?: AbortSignal): Promise<readonly string[]> {
  return calls.invoke(serverManagerId, 'getPipelines', {}, signal);
}

/** The tag `loadline` of a pipeline; `undefined` when it has none or is gone. */
export async function readTag(calls: KurentoCalls, pipeline: string): Promise<string | undefined> {
  try {
    const tag = await calls.invoke(pipeline, 'getTag', { key: 'loadline' });
    return tag === '' ? undefined : tag;
  } catch (error) {
    // A Kurento refuses to read a tag that is not there.
    if (error instanceof LoadlineError && error.code === 'E_SERVER_REFUSED') return undefined;
    throw error;
  } finally {
    await calls.unref(pipeline).catch(() => undefined);
  }
}
