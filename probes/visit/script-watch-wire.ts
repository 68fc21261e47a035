/** What the watchdog is started with: it beats while the event loop of the process goes round. */
export interface WatchedProcess {
  readonly pulse: ArrayBufferLike;
}

/** What the watchdog is told before each script. */
export interface WatchOrder {
  readonly boundMs: number;
  /** How long stopping the script may take, beyond that. */
  readonly stopMs: number;
  /** Written where the process can say nothing itself any more. */
  readonly lastWords: string;
}

/** Name of the global function that is called, by the debugger, with the place where a script is stuck. */
export const stuckHandler = 'loadlineScriptIsStuck';

/** How the file is called that a join script is loaded from. */
export const scriptFileBegin = 'loadline-join-';
