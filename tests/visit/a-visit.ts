import { unheardWords } from '../../probes/visit/app-words.js';
import type { Visit } from '../../probes/visit/join-script.js';

/** What the join script of a lone member is given; its page is another's matter. */
export const aVisit = (): Omit<Visit, 'page'> => ({
  session: '1',
  participant: '1a',
  role: 'member',
  index: 0,
  env: {},
  user: {},
  signal: new AbortController().signal,
  ...unheardWords(),
});
