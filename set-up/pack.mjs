/** What `npm pack` needs of a clone, a fresh one too: its packages and its build. */
import { endWith } from './report.mjs';
import { bringUpToDate } from './set-up.mjs';

await bringUpToDate().catch(endWith);
