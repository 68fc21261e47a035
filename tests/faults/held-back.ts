import { test } from '@playwright/test';
import { openWorkshop, type Workshop } from '../system/running-tool.js';
import { whyNotStarved } from '../system/starved-browsers.js';

/**
 * To be called in a describe whose tests hold processes back for minutes: gives each a workshop, or skips it and says
 * why.
 */
export function workshopForHeldBack(): () => Workshop {
  let workshop: Workshop | undefined;
  test.beforeEach(async () => {
    test.skip(process.env.LOADLINE_ALL_FAULTS !== '1', 'part of `npm run faults` alone: it takes minutes');
    const why = await whyNotStarved();
    test.skip(why !== undefined, why);
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop?.dispose());
  return () => {
    if (!workshop) throw new Error('there is a workshop in a test alone');
    return workshop;
  };
}
