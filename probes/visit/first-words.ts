/** Of an error of the driver, whose messages go on with a log of calls, in colours. */
export function firstWords(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with one.
  const plain = text.replaceAll(/\u001b\[[\d;]*m/g, '');
  const [first = '', ...more] = plain.split('\n').map((line) => line.trim());
  const waiting = more.find((line) => line.startsWith('- waiting for'));
  return waiting === undefined ? first : `${first} ${waiting.slice(2)}`;
}
