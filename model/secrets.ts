/** What stands where a secret was. */
export const redacted = '***';

/**
 * What the names of secrets have in them: of flags, parameters of addresses, headers and variables of the environment alike.
 * Variables that are called headers (`OTEL_EXPORTER_OTLP_HEADERS`) hold a login among them.
 */
const secretWord = String.raw`(?:token|passw(?:(?:or)?d)?|passphrase|secret|api[-_]?key|credentials?|authorization|_headers)`;

/**
 * From the outside in: logins of addresses, headers, `name=value` and `name: value`, and words after a flag. Each begins with what
 * cannot begin again within itself, and looks back over a bounded length alone: text of a server is read in a time that grows with its length.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/(:\/\/[^\s/?#:@'"]*):[^\s/?#'"]+@/g, `$1:${redacted}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/g, `$1 ${redacted}`],
  [/\b(authorization:\s*\w+\s+)[\w.~+/=-]{6,}/gi, `$1${redacted}`],
  [new RegExp(String.raw`(${secretWord}=)(?:"[^"]*"|'[^']*'|[^\s&#;'"]+)`, 'gi'), `$1${redacted}`],
  [
    new RegExp(
      String.raw`(${secretWord})(?<=-[\w.-]{1,100})(\s+|:\s*)(?:"[^"]*"|'[^']*'|[^\s&#;'"-][^\s&#;'"]*)`,
      'gi',
    ),
    `$1$2${redacted}`,
  ],
];

/**
 * An address or a command without the passwords and tokens that it names as such: what is stored with a run is shown to
 * others. A secret that has no name (`login hunter2`) is not known for one.
 */
export function withoutSecrets(text: string): string {
  return patterns.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
}

/** The same for the words of a command line, where a flag and its secret are two words. */
export function wordsWithoutSecrets(words: readonly string[]): readonly string[] {
  const flag = new RegExp(String.raw`^--?[\w.-]*${secretWord}$`, 'i');
  return words.map((word, index) => {
    const named = flag.test(words[index - 1] ?? '') && !word.startsWith('-');
    return named ? redacted : withoutSecrets(word);
  });
}

/** The same for every text in a value that JSON can hold. */
export function redactedCopy<T>(value: T): T {
  if (typeof value === 'string') return withoutSecrets(value) as T;
  if (Array.isArray(value)) return value.map(redactedCopy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactedCopy(inner)])) as T;
}

/** Whether a variable of the environment may hold a secret: one whose name goes on behind such a word (`TOKEN_OLD`) as well. */
export function mayNameSecret(variable: string): boolean {
  return new RegExp(secretWord, 'i').test(variable);
}
