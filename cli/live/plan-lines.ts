import { leavesRateToChance } from '../../analysis/judge/rate-of-chance.js';
import { loadWords } from '../../analysis/report/load-words.js';
import { setText } from '../../analysis/report/network-section.js';
import { setTimeText } from '../../analysis/wording/quantity.js';
import { isEncodable, type VideoCodec } from '../../model/codec.js';
import { comeAndGo } from '../../model/load.js';
import { isCleanNetwork } from '../../model/network.js';
import type { Plan, TurnPlan } from '../../model/plan.js';
import { hasBrowsers, judgedBySentinels, type PlayersOf } from '../../model/players.js';
import type { Manifest } from '../../model/run.js';
import { participantsOf, type Scenario, sendPictures } from '../../model/scenario.js';
import { ownTurn } from '../../model/turn.js';
import { rateText } from '../../model/units.js';
import type { Question } from '../options/run-request.js';
import { builtInTexts } from './built-in-lines.js';
import { roomTexts } from './room-lines.js';
import { searchTexts, warmUpTexts } from './search-lines.js';

/** What is about to happen, in a few lines of at most 80 columns where the server's address allows it. */
export function planLines(manifest: Manifest, question: Question, runDirectory: string): readonly string[] {
  const { scenario, tries, fit } = question;
  const { plan, server } = manifest;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['server', [`${server.name} at ${server.url}`, ...limitsOf(manifest)]],
    ...(plan.turn ? [['relay', [turnText(plan.turn)]] as const] : []),
    [
      'session',
      [scenario.summary, ...(plan.record === true ? ['the server records what each participant sends'] : [])],
    ],
    ...networkRows(plan),
    ['media', [mediaText(plan, scenario)]],
    ['stable', thresholdTexts(plan, scenario)],
    searchRow(plan, question),
    ['needs', [needsText(plan, scenario), ...(fit ? roomTexts(fit, scenario.unit) : [])]],
    ['probes', [probesText(manifest), ...hostsTexts(plan)]],
    ['saved', [runDirectory]],
  ];
  return [
    `${scenario.name} on ${server.name}: ${questionText(scenario, tries)}`,
    '',
    ...rows.flatMap(([label, texts]) => texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(9)}${text}`)),
    '',
  ];
}

/** How the limit is searched, or the one size that is tried. */
export function searchRow(plan: Plan, question: Question): readonly [string, readonly string[]] {
  const { scenario, tries } = question;
  if (tries === undefined) return ['search', searchTexts(plan, question)];
  return ['trials', [triesText(tries, scenario), ...warmUpTexts(plan, scenario)]];
}

function probesText({ plan, server, chromium }: Manifest): string {
  if (!hasBrowsers(plan.players)) return 'played by this process: no browser takes part';
  if (server.nature === 'simulated') return 'simulated, as the server is: no browser takes part';
  return `Chromium ${chromium.version.replace(/^\D+/, '')}, ${chromium.path}`;
}

function hostsTexts({ hosts }: Plan): readonly string[] {
  return hosts ? [`on the hosts of ${hosts.from}, participants placed ${hosts.spread}`] : [];
}

export function networkRows({ networks, absoluteLimits }: Plan): readonly (readonly [string, readonly string[]])[] {
  if (!networks) return [];
  const texts = networks.flatMap((network) => {
    const { name, sharePercent } = network;
    const shown = networks.length === 1 ? name : `${sharePercent} % ${name}`;
    if (isCleanNetwork(network)) return [shown];
    return [shown, `  up ${setText(network.up)}`, `  down ${setText(network.down)}`];
  });
  const unjudged = networks.some(leavesRateToChance)
    ? ['no bitrate is judged where jitter is that large: it is chance']
    : [];
  const limits =
    absoluteLimits === true ? [] : ['limits count from what one session alone has on the same network', ...unjudged];
  return [['network', [...texts, ...limits]]];
}

export function questionText(scenario: Scenario, tries: number | undefined): string {
  if (tries === undefined) return `how many ${scenario.unit.many} before any participant notices?`;
  return tries === 1 ? `is 1 ${scenario.unit.one} stable?` : `are ${tries} ${scenario.unit.many} stable?`;
}

function triesText(size: number, { baselineSize, unit }: Scenario): string {
  const alone = `${baselineSize} ${baselineSize === 1 ? unit.one : unit.many} alone`;
  return size === baselineSize ? alone : `${alone}, then ${size}`;
}

function limitsOf({ server }: Manifest): readonly string[] {
  const limit =
    server.egressLimitBps === undefined ? [] : [`its up-link is limited to ${rateText(server.egressLimitBps)}`];
  const cpu =
    server.cpuLimitCores === undefined ? [] : [`its CPU is limited to ${server.cpuLimitCores} cores, mixers included`];
  const shared = server.sameHost ? ['it shares this machine with the probes: the limit is the machine’s'] : [];
  return [...limit, ...cpu, ...shared];
}

export function turnText({ protocol, server }: TurnPlan): string {
  return server === undefined
    ? `TURN over ${protocol} alone, through a coturn that is started here for each trial`
    : `TURN over ${protocol} alone, through ${server === ownTurn ? 'what the media server names' : server}`;
}

export function mediaText(plan: Plan, scenario: Scenario): string {
  const { media, players } = plan;
  if (sendsSoundAlone(plan, scenario)) return 'speech, and no pictures';
  if (judgedBySentinels(players))
    return `${sentText(media)}; nobody has a browser, but for ${players.sentinels} of who receives, three at least of each role, network and host; a connection without one has a UDP socket for each of this host's addresses`;
  switch (players.kind) {
    case 'visiting':
      return `a camera of ${media.width}×${media.height} at ${media.framesPerSecond} fps and speech; what is sent of them, the app says${players.encoded ? '; pictures are not decoded, and not encoded once they are recorded' : ''}${players.painted ? '; pages are painted all the time' : ''}`;
    case 'signalling':
      return signallingText(players, media);
    case 'encoded':
      return `${sentText(media)}${encodedText(players, media.videoCodec)}`;
    case 'full':
      return sentText(media);
  }
}

/** What the pages of an app send is the app's to say. */
const sendsSoundAlone = ({ players }: Plan, scenario: Scenario): boolean =>
  players.kind !== 'visiting' &&
  players.kind !== 'signalling' &&
  !sendPictures(participantsOf(scenario.sessions(scenario.baselineSize)));

function signallingText({ sentinels, legs }: PlayersOf<'signalling'>, media: Plan['media']): string {
  const which = legs === 'sending' ? ', joining only the connections on which they would send' : '';
  const none = `none: participants signal and send nothing${which}`;
  if (sentinels === 0) return `${none}, so nothing is said of what they would receive`;
  return `${none}; beside them ${sentinels} browsers or more, in whole sessions that stay: ${sentText(media)}`;
}

function sentText(media: Plan['media']): string {
  const drawn = media.drawnMarks === true ? '; each draws who it is and the time into its pictures' : '';
  return `${media.width}×${media.height} at ${media.framesPerSecond} fps, ${media.videoCodec} up to ${media.videoKbps} kbit/s, and speech${drawn}`;
}

function encodedText({ fullShare }: PlayersOf<'encoded'>, codec: VideoCodec): string {
  if (!isEncodable(codec)) return `; all probes full, for ${codec} cannot be encoded before`;
  const full = fullShare > 0 ? ` but for ${Number((100 * fullShare).toFixed(1))} % of the probes` : '';
  return `, encoded before${full}`;
}

export function thresholdTexts(plan: Plan, scenario: Scenario): readonly string[] {
  if (!comeAndGo(plan.load)) return mediaThresholdTexts(plan, scenario);
  return [...loadWords[plan.load.by].comingTexts(plan.load, plan), ...sentinelTexts(plan, scenario)];
}

/** What those are held to who stay. */
function sentinelTexts(plan: Plan, scenario: Scenario): readonly string[] {
  const { players, timing, thresholds } = plan;
  if (!hasBrowsers(players)) return [];
  const [, joining, ...limits] = mediaThresholdTexts(plan, scenario);
  const seen = 'what they get while the fewest come';
  const held = limits.map((text) => text.replace(/what one .* gets alone/, seen));
  if (players.kind !== 'signalling') {
    const first = `  p95(join.firstFrame) ≤ ${thresholds.firstFrameP95MsMax / 1000} s, counted from then, too`;
    return [first, 'and of each whose whole stay is in the window, from 2 s after its first frame:', ...held];
  }
  const settling = setTimeText(timing.settleMs);
  return [
    `and of the browsers beside them, which are there before, up to ${settling} of settling:`,
    ...(joining === undefined ? [] : [joining]),
    ...held,
  ];
}

/** A run that is resumed may have begun before there were such limits. */
function laterTexts(limits: Partial<Plan['thresholds']>, { unit }: Scenario, isSound: boolean): readonly string[] {
  const { rttP95MsMax, jitterBufferMsMax, audioLevelMin, widthPercentOfBaselineMin } = limits;
  const { seatedGapPercentMax, stutterMsMax, soundGapMsMax } = limits;
  if (rttP95MsMax === undefined) return [];
  const where = <Limit>(limit: Limit | undefined, text: string) => (limit === undefined ? [] : [text]);
  return [
    `  round trip p95 ≤ ${rttP95MsMax} ms, jitter buffer ≤ ${jitterBufferMsMax} ms, sound ≥ ${audioLevelMin}`,
    ...where(
      isSound ? undefined : widthPercentOfBaselineMin,
      `  picture width ≥ ${widthPercentOfBaselineMin} % of what one ${unit.one} gets alone`,
    ),
    ...where(
      isSound ? undefined : stutterMsMax,
      `  frames within ${stutterMsMax} ms of their mean distance (standard deviation)`,
    ),
    ...where(seatedGapPercentMax, `  gaps of who is there while others join ≤ ${seatedGapPercentMax} %`),
    ...where(soundGapMsMax, `  no gap of sound over ${soundGapMsMax} ms; the MOS is of narrow band (G.107)`),
  ];
}

function mediaThresholdTexts(plan: Plan, scenario: Scenario): readonly string[] {
  const { thresholds: limits, timing } = plan;
  const isSound = sendsSoundAlone(plan, scenario);
  const ofPictures = (text: string) => (isSound ? '' : text);
  return [
    `for ${setTimeText(timing.measureMs)}, after joining at ${timing.pacePerSecond}/s${timing.autoPace ? ' or faster' : ''} and up to ${setTimeText(timing.settleMs)} of settling:`,
    `  every stream arrives; joined in ${limits.joinMsMax / 1000} s, first ${isSound ? 'sound' : 'frame'} p95 ≤ ${limits.firstFrameP95MsMax / 1000} s`,
    `  bitrate ≥ ${limits.bitratePercentOfBaselineMin} %${ofPictures(`, frame rate ≥ ${limits.framesPercentOfBaselineMin} %`)} of what one ${scenario.unit.one} gets alone`,
    `  ${ofPictures(`video loss ≤ ${limits.videoLossPercentMax} % (≤ ${limits.videoLossBurstPercentMax} % in any 5 s), `)}audio loss ≤ ${limits.audioLossPercentMax} %`,
    `  audio jitter ≤ ${limits.jitterMsMax} ms, round trip ≤ ${limits.rttMsMax} ms${ofPictures(`, frozen ≤ ${limits.frozenPercentMax} %`)}, MOS ≥ ${limits.mosMin}`,
    ...laterTexts(limits, scenario, isSound),
    ...builtInTexts(plan, scenario),
    ...(limits.also ?? []).map(({ text }) => `  ${text}`),
    ...(limits.badProbes ? [`  bad probes ≤ ${limits.badProbes.max}${limits.badProbes.unit === '%' ? ' %' : ''}`] : []),
  ];
}

function needsText({ probesPerPage, pagesPerBrowser, load, players }: Plan, scenario: Scenario): string {
  const arrives = comeAndGo(load);
  if (arrives && players.kind !== 'signalling') {
    return `browsers for those who are there at a time; ${probesPerPage} in a page, ${pagesPerBrowser} pages in a browser`;
  }
  if (arrives) return 'CPU for this process, which is void evidence where it falls behind';
  const [one, two] = [1, 2].map((size) => participantsOf(scenario.sessions(size)).length);
  const perUnit = (two ?? 0) - (one ?? 0);
  const fixed = (one ?? 0) - perUnit;
  const extra = fixed > 0 ? ` and ${fixed} more` : '';
  return `${perUnit} ${perUnit === 1 ? 'probe' : 'probes'} per ${scenario.unit.one}${extra}; ${players.kind === 'native' ? 'of browsers, ' : ''}${probesPerPage} in a page, ${pagesPerBrowser} pages in a browser`;
}
