import { errorCodes, LoadlineError } from '../../model/errors.js';
import type { StuckEnding, StuckScript } from '../../probes/visit/script-watch.js';
import type { ToolProcess } from '../process.js';
import { renderError } from '../render-error.js';

type StuckCode = 'E_JOIN_SCRIPT' | 'E_JOIN_SCRIPT_STUCK';

/** The process ends as with any error. What is on disk is what was measured until then, as after a kill. */
export function endingWhenStuck(tool: ToolProcess, code: StuckCode): StuckEnding {
  // Below the status line, which nobody takes away any more.
  const textOf = (stuck: StuckScript): string => `\n${renderError(stuckError(stuck, code)).text}`;
  const { exitCode } = errorCodes[code];
  return {
    end: (stuck) => tool.exitStuck(textOf(stuck), exitCode),
    lastWords: (stuck) => textOf(stuck).replace(/exit \d+\n$/, 'ended by SIGKILL\n'),
  };
}

function stuckError({ path, boundMs, line, participant }: StuckScript, code: StuckCode): LoadlineError {
  const whose = participant === undefined ? '' : ` of ${participant}`;
  return new LoadlineError(code, `The join script${whose} has not given way for ${boundMs / 1000} s.`, {
    where: line === undefined ? `--join ${path}` : `--join ${path}, ${line}`,
    why: 'it computes, or waits in a call that is not asynchronous; meanwhile Loadline can do nothing else',
    todo: 'wait with await, as Playwright does; loadline visit tries the script with one participant',
  });
}
