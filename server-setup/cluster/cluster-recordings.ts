import type { Recordings } from '../media-server.js';
import { allOf } from './together.js';

/** What several servers recorded, as one. */
export function clusterRecordings(recordings: readonly Recordings[]): Recordings {
  return {
    stop: async () => void (await allOf(recordings.map((one) => one.stop()))),
    check: async (request, signal) => {
      let files = 0;
      const faults = [];
      const notChecked = new Set<string>();
      // One server after the other, as one server looks at one file at a time: looking takes CPU.
      for (const one of recordings) {
        const found = await one.check(request, signal);
        files += found.files;
        faults.push(...found.faults);
        if (found.notChecked !== undefined) notChecked.add(found.notChecked);
      }
      return { files, faults, ...(notChecked.size === 0 ? {} : { notChecked: [...notChecked].join('; ') }) };
    },
  };
}
