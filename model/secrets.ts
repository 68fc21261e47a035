import { shortText } from './plain-text.js';

/** What stands where a secret was. */
export const redacted = '***';

/**
 * What the names of secrets have in them: of flags, parameters of addresses, headers and variables of the environment
 * alike. Variables that are called headers (`OTEL_EXPORTER_OTLP_HEADERS`) hold a login among them.
 */
const secretWord =
  '(?:(?:token|passw(?:(?:or)?d)?|pwd|passphrase|secret|api[-_]?key|credential)s?|authorization|_headers)';

/** What stands behind `token:` where something is said of it, as in "token: missing". */
const plainWords = [
  'absent|bad|denied|empty|expired|false|given|invalid|missing|none|null|refused|required|set|true|undefined|unknown|unset|wrong',
  'a|an|and|any|are|as|at|by|can|cannot|each|for|from|has|have|if|in|is|it|its|may|must|no|not|of|on|one|only|or|see|that|the|this',
  'to|was|were|what|when|where|which|who|whoever|whose|will|with|without|yes|add|export|leave|name|bearer|basic|digest',
].join('|');

/**
 * From the outside in: logins of addresses, headers, `name=value`, words after a flag, and `name: value`. Each begins
 * with what cannot begin again within itself, and looks back over a bounded length alone: text of a server is read in a
 * time that grows with its length.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/(:\/\/[^\s/?#:@'"]*):[^\s/?#'"]+@/g, `$1:${redacted}@`],
  [/:\/\/(?!USER@)[^\s/?#:@'"]+@/g, `://${redacted}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/g, `$1 ${redacted}`],
  [/\b(authorization:\s*\w+\s+)[\w.~+/=-]{6,}/gi, `$1${redacted}`],
  [new RegExp(String.raw`(${secretWord}(?:=|%3D))(?:"[^"]*"|'[^']*'|[^\s&#;'"]+)`, 'gi'), `$1${redacted}`],
  [
    new RegExp(
      String.raw`(${secretWord})(?<=-[\w.-]{1,100})(\s+|:\s*)(?:"[^"]*"|'[^']*'|[^\s&#;'"-][^\s&#;'"]*)`,
      'gi',
    ),
    `$1$2${redacted}`,
  ],
  [
    new RegExp(
      String.raw`(${secretWord}:[^\S\n]*)(?:"[^"]*"|'[^']*'|(?!(?:${plainWords})(?=[.,;:!?)]*(?:\s|$))|\/\/)[^\s&#;,'"<>()]+)`,
      'gi',
    ),
    `$1${redacted}`,
  ],
];

/** Start of a text under such a name in JSON, which may be nested in a text: then backslashes stand before quotes. */
const named = new RegExp(String.raw`${secretWord}(\\*)(["'])\s*:\s*(?:\1\2|(\d+))`, 'gi');

/** The whole text under such a name, to its end or that of a text that was cut. */
function withoutNamed(text: string): string {
  let clean = '';
  let done = 0;
  for (const { 0: found, 1: slashes = '', 2: quote = '', 3: digits = '', index } of text.matchAll(named)) {
    if (index < done) continue;
    const from = index + found.length - digits.length;
    clean += text.slice(done, from) + redacted;
    done = digits === '' ? endOfText(text, from, quote, slashes.length) : index + found.length;
  }
  return clean + text.slice(done);
}

/** The quote that ends it: inner quotes have more backslashes before them, or others that are escaped themselves. */
function endOfText(text: string, from: number, quote: string, depth: number): number {
  let slashes = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === quote && slashes % (2 * depth + 2) === depth) return at - depth;
    slashes = text[at] === '\\' ? slashes + 1 : 0;
  }
  return text.length;
}

/**
 * An address or a command without the passwords and tokens that it names as such: what is stored with a run is shown to
 * others. A secret that has no name (`login hunter2`) is not known for one.
 */
export function withoutSecrets(text: string): string {
  return patterns.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), withoutNamed(text));
}

/** The same for the words of a command line, where a flag and its secret are two words. */
export function wordsWithoutSecrets(words: readonly string[]): readonly string[] {
  const flag = new RegExp(String.raw`^--?[\w.-]*${secretWord}$`, 'i');
  return words.map((word, index) => {
    const named = flag.test(words[index - 1] ?? '') && !word.startsWith('-');
    return named ? redacted : withoutSecrets(word);
  });
}

/** More names, for pages that go to others: a word that is hidden for nothing harms less than a secret that is not. */
const likelyName = String.raw`(?:(?:secret|pass|pwd|psk|token|jwt|key|cred|auth|user|login)[\w.-]*|(?<![\w-])-u)["']?`;
const endsInName = new RegExp(`${likelyName}[:=]?["']?$`, 'i');
/** Within a word that is quoted as a whole, a value may stand behind a space. */
const valueWithin = new RegExp(String.raw`(${likelyName}(?:\s*[:=]\s*|\s+))[^]+?(["']?)$`, 'i');
const shellWord = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|\S)+/gs;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** Keys of servers have names of their own ("API1"). A digest of an image tells its version. */
const longWord = /([:=]\s*["']?)(?<!sha256:)(?!\/)[\w+/-]{20,}={0,2}(?=["'\s,;})\]]|$)/g;

/** A command or a setting without whatever may be a secret in it. */
export function withoutLikelySecrets(text: string): string {
  let isNamed = false;
  const words = text.replaceAll(privateKey, redacted).replaceAll(shellWord, (word) => {
    const isValue = isNamed && !word.startsWith('-');
    isNamed = endsInName.test(word) || (isValue && /[:=]$/.test(word));
    return isValue ? redacted : word.replace(valueWithin, `$1${redacted}$2`);
  });
  return withoutSecrets(words).replaceAll(longWord, `$1${redacted}`);
}

/** Every text in a value that JSON can hold without its secrets. */
export function redactedCopy<T>(value: T, without: (text: string) => string = withoutSecrets): T {
  const copied = (inner: unknown): unknown => {
    if (typeof inner === 'string') return without(inner);
    if (Array.isArray(inner)) return inner.map(copied);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, copied(one)]));
  };
  return copied(value) as T;
}

/** Whether a variable of the environment may hold a secret, also where its name goes on (`TOKEN_OLD`). */
export function mayNameSecret(variable: string): boolean {
  // The shell's name for a folder is that of a secret elsewhere.
  return !/^(?:OLD)?PWD$/.test(variable) && new RegExp(secretWord, 'i').test(variable);
}

/** What somebody else says, made plain, of `most` characters at most, and without the secrets that it names. */
export function shortWords(text: string, most: number): string {
  return withoutSecrets(shortText(text, most));
}
