/**
 * For programs that do not end with whoever started them. A shell stands between: it ends the program when our end of
 * its standard input closes, which it does however we end, and it ends itself when the program does, with the program's
 * status.
 */
const supervisor = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
( read -r never <&3; kill -9 "$program" ) 2>/dev/null &
watcher=$!
exec 3<&-
wait "$program"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"`;

/** The command that runs these words so. It wants a pipe as its standard input. */
export function tied(words: readonly string[]): readonly [string, readonly string[]] {
  return ['sh', ['-c', supervisor, 'sh', ...words]];
}
