import { changesOf, type Link, linksAt, mostNetworks, type Network, type NetworkStep } from '../../model/network.js';
import { parseDuration } from '../../model/units.js';
import { networkError, type WrittenAt } from './network-error.js';
import { presetOf } from './presets.js';
import { isPercentAspect, readAspect } from './read-aspect.js';

const exampleOfGroups = 'write for example 90% clean, 10% poor-3g';

type Direction = 'up' | 'down' | 'both';

interface Draft {
  readonly sharePercent: number | undefined;
  /** As written, without the share. */
  readonly parts: string[];
  up: Link;
  down: Link;
  readonly steps: { atMs: number; forMs?: number; up: Link; down: Link }[];
  direction: Direction;
  /** True while parts belong to the last step. */
  inStep: boolean;
}

/**
 * Reads networks: parts between commas or semicolons. A part that begins with a share opens the network of a group
 * (`90% clean, 10% poor-3g`), `up` and `down` hold for themselves and what follows, and `at 60s:` for a later time,
 * until a part ends in `for 20s`. Throws E_NETWORK, E_DURATION.
 */
export function readNetworks(text: string, where: string): Network[] {
  const drafts: Draft[] = [];
  for (const part of text.split(/[,;]/).map((one) => one.trim().replace(/\s+/g, ' '))) {
    if (part === '')
      throw networkError(
        'A part of the network is empty.',
        { part: text, where },
        'write for example 40ms 5ms, 2% loss',
      );
    addPart(part, drafts, where);
  }
  const networks = drafts.map((draft) => finished(draft, drafts.length, where));
  assertGroups(networks, drafts, { part: text, where });
  return networks;
}

function addPart(part: string, drafts: Draft[], where: string): void {
  const [, share, rest = ''] = /^(-?[\d.]+)% (.+)$/.exec(part) ?? [];
  const opensGroup = share !== undefined && !isPercentAspect(rest.split(' ')[0] ?? '');
  if (opensGroup || drafts.length === 0)
    drafts.push(newDraft(opensGroup ? readShare(share, { part, where }) : undefined));
  const draft = drafts.at(-1);
  if (!draft) return;
  const own = opensGroup ? rest : part;
  draft.parts.push(own);
  readInto(draft, own, where);
}

function newDraft(sharePercent: number | undefined): Draft {
  return { sharePercent, parts: [], up: {}, down: {}, steps: [], direction: 'both', inStep: false };
}

function readInto(draft: Draft, part: string, where: string): void {
  let text = part;
  const [, at, afterAt] = /^at ([^ :]+) ?: ?(.+)$/i.exec(text) ?? [];
  if (at !== undefined && afterAt !== undefined) {
    draft.steps.push({ atMs: timeOf(at, { part, where }), up: {}, down: {} });
    draft.direction = 'both';
    draft.inStep = true;
    text = afterAt;
  }
  const [, beforeFor, lasts] = /^(.+) for ([^ ]+)$/i.exec(text) ?? [];
  if (beforeFor !== undefined) text = beforeFor;
  const [, direction, afterDirection] = /^(up|down|both)\b ?:? ?(.+)$/i.exec(text) ?? [];
  if (direction !== undefined) draft.direction = direction.toLowerCase() as Direction;
  const changes = presetOrAspect(afterDirection ?? text, where);
  if (draft.inStep && Object.keys({ ...changes.up, ...changes.down }).length === 0) {
    const todo = 'say how long the link before holds, for example at 10s: 5% loss for 20s';
    throw networkError(`"${part}" takes nothing away: what was written before stays.`, { part, where }, todo);
  }
  change(draft, changes);
  if (lasts !== undefined) endStep(draft, timeOf(lasts, { part, where }), { part, where });
}

/** `0s` is a time, too; parseDuration wants more. */
function timeOf(text: string, { part, where }: WrittenAt): number {
  return /^0+(ms|s|m|h)$/.test(text) ? 0 : parseDuration(text, `${where} "${part}"`);
}

function presetOrAspect(text: string, where: string): { readonly up: Link; readonly down: Link } {
  const preset = presetOf(text.toLowerCase());
  if (preset) return preset;
  const link = readAspect(text, where);
  return { up: link, down: link };
}

function change(draft: Draft, changes: { readonly up: Link; readonly down: Link }): void {
  const step = draft.inStep ? draft.steps.at(-1) : undefined;
  const target = step ?? draft;
  if (draft.direction !== 'down') target.up = { ...target.up, ...changes.up };
  if (draft.direction !== 'up') target.down = { ...target.down, ...changes.down };
}

function endStep(draft: Draft, forMs: number, at: WrittenAt): void {
  const step = draft.inStep ? draft.steps.at(-1) : undefined;
  if (!step) {
    throw networkError('Only a change at a time can last for a time.', at, 'write for example at 60s: 5% loss for 20s');
  }
  step.forMs = forMs;
  draft.inStep = false;
  draft.direction = 'both';
}

function finished(draft: Draft, count: number, where: string): Network {
  const name = draft.parts.join(', ');
  if (draft.sharePercent === undefined && count > 1) {
    throw networkError(`"${name}" has no share of the participants.`, { part: name, where }, exampleOfGroups);
  }
  const { up, down } = draft;
  const steps: readonly NetworkStep[] = draft.steps;
  const network: Network = { name, sharePercent: draft.sharePercent ?? 100, up, down, steps };
  const links = [-1, ...changesOf(network)].map((at) => linksAt(network, at));
  for (const { up, down } of links) for (const link of [up, down]) assertLink(link, name, where);
  for (const way of ['up', 'down'] as const) {
    assertTables(
      links.map((one) => one[way]),
      { part: name, where },
    );
  }
  return network;
}

/** Netem keeps the table of a distribution once it has one. Throws E_NETWORK. */
function assertTables(links: readonly Link[], at: WrittenAt): void {
  const isTable = ({ distribution = 'uniform' }: Link) => distribution !== 'uniform';
  const first = links.findIndex(isTable);
  if (first === -1 || links.slice(first).every((link) => isTable(link) || !link.jitterMs)) return;
  const what = `A change goes from "${links[first]?.distribution}" to uniform jitter, which the kernel cannot do.`;
  throw networkError(what, at, 'give all jitter of this network a distribution, or none');
}

function readShare(text: string, at: WrittenAt): number {
  const share = Number(text);
  if (share > 0 && share <= 100) return share;
  throw networkError(`A share is above 0% and at most 100%, not ${text}%.`, at, exampleOfGroups);
}

function assertGroups(networks: readonly Network[], drafts: readonly Draft[], at: WrittenAt): void {
  const names = networks.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw networkError(`"${twice}" stands twice.`, at, 'give each group a network of its own, and add their shares');
  }
  if (networks.length > mostNetworks) {
    throw networkError(`${networks.length} networks are too many.`, at, `write up to ${mostNetworks}`);
  }
  const sum = networks.reduce((total, network) => total + network.sharePercent, 0);
  if (drafts[0]?.sharePercent !== undefined && Math.abs(sum - 100) > 0.01) {
    throw networkError(`The shares add up to ${Number(sum.toFixed(2))} %, not to 100 %.`, at, exampleOfGroups);
  }
}

/** Says of a link what makes no sense together. Throws E_NETWORK. */
function assertLink(link: Link, name: string, where: string): void {
  const { delayMs = 0, jitterMs = 0, distribution, jitterCorrelationPercent, reorderPercent = 0, rateBps } = link;
  const refuse = (what: string, todo: string) => {
    throw networkError(what, { part: name, where }, todo);
  };
  if (jitterMs > 0 && delayMs === 0)
    refuse(`Jitter of ${jitterMs} ms needs a delay to vary.`, 'write for example 40ms 5ms');
  if (jitterMs > delayMs) {
    refuse(
      `Jitter of ${jitterMs} ms is more than the delay of ${delayMs} ms: no packet comes before it was sent.`,
      'make the delay longer',
    );
  }
  if (jitterMs === 0 && (distribution !== undefined || jitterCorrelationPercent !== undefined)) {
    refuse('A distribution or correlation needs a jitter.', 'write for example 40ms 5ms normal');
  }
  if (reorderPercent > 0 && delayMs === 0) {
    refuse('Reordering needs a delay: packets overtake those that are delayed.', 'write for example 20ms, 5% reorder');
  }
  if (rateBps === undefined && (link.queuePackets !== undefined || link.queueMs !== undefined)) {
    refuse('A queue needs a rate.', 'write for example 1mbit queue 200ms');
  }
}
