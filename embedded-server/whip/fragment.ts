/** What a PATCH brings: candidates, and the ICE credentials that they are for (RFC 8840; RFC 9725, 4.4). */
interface Fragment {
  /** As `candidate:…` lines. */
  readonly candidates: readonly string[];
  /** Absent where it names none. */
  readonly iceUfrag?: string;
}

/** Undefined when it is none. */
export function readFragment(text: string): Fragment | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0 || !lines.every((line) => /^[am]=/.test(line))) return undefined;
  const values = (name: string) => lines.flatMap((line) => (line.startsWith(`a=${name}`) ? [line.slice(2)] : []));
  const [iceUfrag] = values('ice-ufrag:').map((line) => line.slice('ice-ufrag:'.length));
  return { candidates: values('candidate:'), ...(iceUfrag === undefined ? {} : { iceUfrag }) };
}
