/** What set-up says, always on stderr: stdout belongs to the result. */

/** Set-up cannot go on; the message is one sentence that says what to do. */
export class SetUpStopped extends Error {}

export function say(text) {
  process.stderr.write(`set-up: ${text}\n`);
}

/** Ends the process: one sentence for what was foreseen, the whole error for what was not. */
export function endWith(error) {
  process.stderr.write(error instanceof SetUpStopped ? `loadline: ${error.message}\n` : `${error?.stack ?? error}\n`);
  process.exit(1);
}

/** With LOADLINE_NO_SETUP=1 nothing is installed or built; what is missing is said instead. */
export function refuseIfForbidden(missing, command) {
  if (process.env.LOADLINE_NO_SETUP === '1') {
    throw new SetUpStopped(`${missing}, and LOADLINE_NO_SETUP=1 forbids set-up; run "${command}" first.`);
  }
}
