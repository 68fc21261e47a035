/** Seeded mutations: the same seed gives the same inputs, so that what broke something can be sent again. */
type Chance = () => number;

export function pick<T>(chance: Chance, list: readonly T[]): T {
  const found = list[Math.floor(chance() * list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

export function upTo(chance: Chance, most: number): number {
  return Math.floor(chance() * (most + 1));
}

export function randomBytes(chance: Chance, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => upTo(chance, 255)));
}

/** One to eight of: flip, overwrite, cut, repeat, insert, swap of lengths for extremes. */
export function mutatedBytes(chance: Chance, seed: Buffer): Buffer {
  let bytes: Buffer = Buffer.from(seed);
  for (let times = 1 + upTo(chance, 7); times > 0; times -= 1) bytes = byteMutation(chance, bytes);
  return bytes.subarray(0, 60_000);
}

function byteMutation(chance: Chance, bytes: Buffer): Buffer {
  const at = upTo(chance, Math.max(0, bytes.length - 1));
  const length = upTo(chance, Math.min(64, bytes.length - at));
  switch (upTo(chance, 6)) {
    case 0:
      if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(chance, 7));
      return bytes;
    case 1:
      if (bytes.length > 0) bytes[at] = pick(chance, [0, 1, 0x7f, 0x80, 0xff]);
      return bytes;
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), randomBytes(chance, upTo(chance, 32)), bytes.subarray(at)]);
    case 5:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    default:
      if (at + 2 <= bytes.length) bytes.writeUInt16BE(pick(chance, [0, 1, 0xff, 0x7fff, 0xffff, bytes.length]), at);
      return bytes;
  }
}

const oddTexts = [
  '',
  ' ',
  '\0',
  '\uFFFD',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%s%n',
  '-1',
  '1e309',
];
const oddValues: readonly unknown[] = [null, true, [], {}, -1, 0, 1e308, 2 ** 53, 0.1, [[[[[]]]]], ...oddTexts];

/** A copy with one to four of its values, keys or list entries made something else. */
export function mutatedValue(chance: Chance, value: unknown, depth = 0): unknown {
  if (depth > 6 || chance() < 0.15) return pick(chance, oddValues);
  if (Array.isArray(value)) {
    const changed = value.map((one) => (chance() < 0.4 ? mutatedValue(chance, one, depth + 1) : one));
    return chance() < 0.2 ? [...changed, ...changed] : changed;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (chance() < 0.08) return [];
      const name = chance() < 0.05 ? pick(chance, oddTexts) : key;
      return [[name, chance() < 0.4 ? mutatedValue(chance, inner, depth + 1) : inner]];
    });
    return Object.fromEntries(entries);
  }
  if (typeof value === 'string') return mutatedText(chance, value);
  return chance() < 0.5 ? pick(chance, oddValues) : value;
}

/** Text with lines or pieces removed, doubled, exchanged, or filled with what no one expects. */
export function mutatedText(chance: Chance, text: string): string {
  const lines = text.split('\n');
  const at = upTo(chance, lines.length - 1);
  const line = lines[at] ?? '';
  switch (upTo(chance, 7)) {
    case 0:
      return lines.filter((_, index) => index !== at).join('\n');
    case 1:
      return [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
    case 2:
      return text.replace(/\d+/g, (number) =>
        chance() < 0.1 ? pick(chance, ['-1', '0', '65536', '4294967296', '1e99']) : number,
      );
    case 3:
      lines[at] = line.slice(0, upTo(chance, line.length));
      return lines.join('\n');
    case 4:
      lines[at] = `${line}${pick(chance, oddTexts).repeat(1 + upTo(chance, 500))}`;
      return lines.join('\n');
    case 5:
      return lines.sort(() => chance() - 0.5).join('\n');
    case 6:
      return mutatedBytes(chance, Buffer.from(text)).toString('latin1');
    default:
      lines[at] = line.replace(/[ :=/]/g, (sign) => (chance() < 0.3 ? pick(chance, ['', '  ', ':', '=', ';']) : sign));
      return lines.join('\n');
  }
}
