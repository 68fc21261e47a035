import { toWriteFor } from '../../analysis/judge/thresholds/nearest-word.js';
import { given } from '../../model/given.js';
import { distributions, type Link } from '../../model/network.js';
import { rateUnits } from '../../model/units.js';
import { networkError, type WrittenAt } from './network-error.js';
import { networkPresetNames } from './presets.js';

/** What a part of a network may be about, each under the words that people use for it. */
const percentAspects: Readonly<Record<string, 'loss' | 'duplicate' | 'reorder' | 'corrupt'>> = {
  loss: 'loss',
  lost: 'loss',
  duplicate: 'duplicate',
  duplicated: 'duplicate',
  duplication: 'duplicate',
  reorder: 'reorder',
  reordered: 'reorder',
  reordering: 'reorder',
  corrupt: 'corrupt',
  corrupted: 'corrupt',
  corruption: 'corrupt',
};
const otherWords = ['delay', 'jitter', 'gemodel', 'queue'];

/** True when `word` after a percentage says what happens to so many packets, and not who has the network. */
export function isPercentAspect(word: string): boolean {
  return word.toLowerCase() in percentAspects;
}

/** Reads one part, such as `40ms 5ms normal`, `2% loss in bursts of 4` or `1mbit queue 200ms`. Throws E_NETWORK. */
export function readAspect(part: string, where: string): Link {
  const at = { part, where };
  const [first = '', ...rest] = inOurWords(part, at);
  if (first === 'delay') return readDelay(rest, at);
  if (first === 'jitter') return { jitterMs: milliseconds(rest[0], 'jitter', at) };
  if (first === 'gemodel') return readGilbertElliott(rest, at);
  if (first === 'loss' && rest[0] === 'gemodel') return readGilbertElliott(rest.slice(1), at);
  if (first === 'rate') return readRate(rest[0] ?? '', rest.slice(1), at);
  if (isPercentAspect(first)) return readShare(first, rest[0] ?? '', rest.slice(1), at);
  if (/%$/.test(first) && isPercentAspect(rest[0] ?? '')) return readShare(rest[0] ?? '', first, rest.slice(1), at);
  if (/^[-+]?[\d.]+(bit|kbit|mbit|gbit)$/.test(first)) return readRate(first, rest, at);
  if (/^[-+]?[\d.]+(us|ms|s)$/.test(first)) {
    return rest[0] === 'jitter' ? { jitterMs: milliseconds(first, 'jitter', at) } : readDelay([first, ...rest], at);
  }
  throw unknownPart(first, at);
}

/** Words of tc-netem(8) and of those who write a space before a unit, as they are written here. Throws E_NETWORK. */
function inOurWords(part: string, at: WrittenAt): readonly string[] {
  const text = part.toLowerCase();
  const fault = foreignFault(text);
  if (fault) throw networkError(fault.what, at, fault.todo);
  return text
    .replace(/([\d.]+)\s+([kmg]?bit(?:\/s)?|us|ms|s)\b/g, '$1$2')
    .replace(/(bit)\/s\b/g, '$1')
    .replace(/\bdistribution\s+/, '')
    .replace(/^loss\s+random\s+/, 'loss ')
    .split(/\s+/);
}

/** What would be misread: other tools mean other things by it. */
function foreignFault(text: string): { readonly what: string; readonly todo: string } | undefined {
  const [rate, number = '', size = ''] = /(?:^|\s)([\d.]+)\s*([kmg]?)bps\b/.exec(text) ?? [];
  if (rate !== undefined) {
    const [bytes, bits] = [`${Number((Number(number) * 8).toPrecision(6))}${size}bit`, `${number}${size}bit`];
    return {
      what: `"${rate.trim()}" is bytes a second to tc, and bits a second to most others.`,
      todo: `write ${bits}, or ${bytes} if you mean bytes`,
    };
  }
  if (/^(slow|fast|good|regular) [234]g$/.test(text)) {
    return {
      what: `"${text}" is a word of browsers, which slow down requests by it and no media.`,
      todo: 'write what its link does, as in 400kbit, 200ms; or a network of this list: poor-3g, 3g, 4g',
    };
  }
  if (/^[{[]/.test(text))
    return { what: 'A network is not written as JSON.', todo: 'write for example up 1mbit queue 10, 50ms, 5% loss' };
  return undefined;
}

function readDelay([delay, ...rest]: readonly string[], at: WrittenAt): Link {
  const link: Record<string, number | string> = { delayMs: milliseconds(delay, 'delay', at) };
  const words = [...rest];
  if (/^[-+]?[\d.]/.test(words[0] ?? '') && !words[0]?.endsWith('%'))
    link.jitterMs = milliseconds(words.shift(), 'jitter', at);
  if (words[0]?.endsWith('%')) link.jitterCorrelationPercent = percentage(words.shift() ?? '', 'correlation', at);
  const distribution = distributions.find((name) => name === words[0]);
  if (distribution) {
    words.shift();
    link.distribution = distribution;
  }
  assertNothingLeft(words, at);
  return link;
}

function readShare(word: string, share: string, rest: readonly string[], at: WrittenAt): Link {
  const aspect = percentAspects[word] ?? 'loss';
  const percent = percentage(share, word, at);
  if (aspect === 'loss' && rest[0] === 'in') return { loss: bursts(percent, rest, at) };
  const [correlation, ...more] = rest;
  const correlationPercent = correlation === undefined ? undefined : percentage(correlation, 'correlation', at);
  assertNothingLeft(more, at);
  if (aspect === 'loss') return { loss: { kind: 'random', percent, ...given({ correlationPercent }) } };
  if (aspect === 'corrupt') {
    assertNothingLeft(rest, at);
    return { corruptPercent: percent };
  }
  return given({ [`${aspect}Percent`]: percent, [`${aspect}CorrelationPercent`]: correlationPercent });
}

/** `3% loss in bursts of 5`: so many packets in a row on average, and so much lost of all. */
function bursts(percent: number, words: readonly string[], at: WrittenAt): NonNullable<Link['loss']> {
  const length = /^in bursts of ([\d.]+)$/.exec(words.join(' '))?.[1];
  const packets = Number(length);
  if (!(packets >= 1) || percent >= 100) {
    throw networkError(
      'Bursts have a mean length of one packet or more, and a loss below 100 %.',
      at,
      'write for example 3% loss in bursts of 5',
    );
  }
  const leavePercent = 100 / packets;
  // Of all packets, enter / (enter + leave) are lost.
  const enterPercent = (percent * leavePercent) / (100 - percent);
  if (enterPercent <= 100)
    return { kind: 'bursts', enterPercent, leavePercent, lossInBadPercent: 100, lossInGoodPercent: 0 };
  throw networkError(
    `${percent} % of loss cannot come in bursts as short as ${packets}.`,
    at,
    'make the bursts longer',
  );
}

/** As `tc-netem(8)` has it: p [r [1-h [1-k]]]. */
function readGilbertElliott(words: readonly string[], at: WrittenAt): Link {
  const [enter, leave, bad = '100%', good = '0%', ...rest] = words;
  assertNothingLeft(rest, at);
  const enterPercent = percentage(enter ?? '', 'gemodel', at);
  const leavePercent = leave === undefined ? 100 - enterPercent : percentage(leave, 'gemodel', at);
  const lossInBadPercent = percentage(bad, 'gemodel', at);
  return {
    loss: {
      kind: 'bursts',
      enterPercent,
      leavePercent,
      lossInBadPercent,
      lossInGoodPercent: percentage(good, 'gemodel', at),
    },
  };
}

function readRate(rate: string, [word, size, ...rest]: readonly string[], at: WrittenAt): Link {
  const [, number = '', unit = ''] = /^([-+]?[\d.]+)([a-z]+)$/.exec(rate) ?? [];
  const rateBps = Number(number) * (rateUnits[unit] ?? Number.NaN);
  if (!(rateBps >= 1000)) throw networkError(`A rate is 1kbit or more, not ${rate}.`, at, 'write for example 1mbit');
  if (word === undefined) return { rateBps };
  if (word !== 'queue' || size === undefined) throw unknownPart(word, at);
  assertNothingLeft(rest, at);
  if (/^\d+$/.test(size) && Number(size) >= 1) return { rateBps, queuePackets: Number(size) };
  return { rateBps, queueMs: milliseconds(size, 'queue', at) };
}

const timeUnits: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

function milliseconds(text: string | undefined, what: string, at: WrittenAt): number {
  const [, number, unit = ''] = /^([-+]?\d+(?:\.\d+)?)([a-zµ]*)$/.exec(text ?? '') ?? [];
  const value = Number(number) * (timeUnits[unit] ?? Number.NaN);
  if (value >= 0 && value <= 60_000) return value;
  const seen = text === undefined ? 'nothing' : text;
  const why = number !== undefined && !(unit in timeUnits) ? 'a time with its unit (us, ms, s)' : 'from 0ms to 60s';
  throw networkError(`The ${what} must be ${why}, not ${seen}.`, at, `write for example ${example(what)}`);
}

function percentage(text: string, what: string, at: WrittenAt): number {
  const number = /^([-+]?\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  const value = Number(number);
  if (number !== undefined && value >= 0 && value <= 100) return value;
  const seen = text === '' ? 'nothing' : text;
  throw networkError(`The ${what} must be from 0% to 100%, not ${seen}.`, at, `write for example ${example(what)}`);
}

function example(what: string): string {
  const examples: Readonly<Record<string, string>> = {
    delay: '40ms',
    jitter: '40ms 5ms',
    queue: '1mbit queue 200ms',
    correlation: '40ms 5ms 25%',
    gemodel: 'gemodel 1% 20%',
  };
  return examples[what] ?? `2% ${what}`;
}

function assertNothingLeft(words: readonly string[], at: WrittenAt): void {
  if (words.length > 0) throw unknownPart(words[0] ?? '', at);
}

function unknownPart(word: string, at: WrittenAt): Error {
  const known = [...networkPresetNames, ...Object.keys(percentAspects), ...otherWords, ...distributions];
  if (/^[-+]?[\d.]+[^\d.]*$/.test(word)) {
    const todo =
      'units are us, ms and s for times, kbit, mbit and gbit for rates, and % loss, % duplicate, % reorder, % corrupt';
    return networkError(`"${word}" has no unit that is known here.`, at, todo);
  }
  const isPreset = (networkPresetNames as readonly string[]).includes(word);
  return isPreset
    ? networkError(`The network "${word}" stands beside other words.`, at, `put a comma behind it: "${word}, 2% loss"`)
    : networkError(`There is no network "${word}".`, at, toWriteFor(word, known));
}
