import { hoursPerMonth } from '../../model/prices.js';
import type { Capacity } from '../capacity/capacity.js';
import type { HostCount } from '../capacity/fleet.js';
import { percentText } from '../wording/quantity.js';
import { numberNear } from '../wording/wording.js';
import { capacityMoney, grouped, hostsText, joinSentence, mbpsText } from './capacity-words.js';

/** A part of what `loadline capacity` says, for a terminal and a page alike. */
export interface CapacitySection {
  readonly title: string;
  /** Columns of numbers, which stand on the right. */
  readonly numbers: readonly number[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whole sentences below the table. */
  readonly notes: readonly string[];
}

export function capacitySections(capacity: Capacity): CapacitySection[] {
  return [
    fleetSection(capacity),
    hostSection(capacity),
    aloneSection(capacity),
    placementSection(capacity),
    trafficSection(capacity),
    costSection(capacity),
    growthSection(capacity),
    curveSection(capacity),
    sensitivitySection(capacity),
  ].filter(({ rows, notes }) => rows.length + notes.length > 0);
}

const roleTexts = { edge: 'participants', relay: 'feed others', origin: 'the origin', only: '' } as const;

function fleetSection({ peak, asked }: Capacity): CapacitySection {
  const scenarioOf = (index: number) => (asked.together ? 'all together' : (asked.demands[index]?.scenario ?? ''));
  const sizeOf = (units: readonly number[], index: number) =>
    asked.together ? units.map(grouped).join(' + ') : grouped(units[index] ?? 0);
  const rows = peak.places.flatMap(({ region, units, fleets }) =>
    fleets.flatMap(({ counts }, index) =>
      counts.map(({ hostType, hosts, needed, role }: HostCount) => [
        ...(asked.regions.length > 0 ? [region] : []),
        scenarioOf(index),
        sizeOf(units, index),
        hostType,
        role === undefined ? '' : roleTexts[role],
        grouped(hosts),
        hosts === needed ? '' : grouped(hosts - needed),
      ]),
    ),
  );
  const head = ['scenario', 'size', 'host', 'for', 'hosts', 'of them spare'];
  const shift = asked.regions.length > 0 ? 1 : 0;
  return {
    title: 'Hosts',
    head: shift === 1 ? ['region', ...head] : head,
    numbers: [1, 4, 5].map((column) => column + shift),
    rows,
    notes: [],
  };
}

function hostSection({ choices }: Capacity): CapacitySection {
  return {
    title: 'What one host carries',
    head: ['scenario', 'host', 'holds', 'may hold', 'is given', 'how full, what binds first'],
    numbers: [2, 3, 4],
    rows: choices.map(({ limit, sure }) => [
      limit.scenario,
      limit.hostType,
      `${grouped(limit.atLeast)} ${limit.atLeast === 1 ? limit.unit.one : limit.unit.many}`,
      limit.atMost === null ? 'not known' : `up to ${grouped(limit.atMost)}`,
      grouped(sure.units),
      Object.entries(sure.used)
        .sort(([a], [b]) => Number(b === sure.binds) - Number(a === sure.binds))
        .map(([resource, share]) => `${resource} ${percentText(share)}`)
        .join(', '),
    ]),
    notes: choices.map(({ limit }) => `${limit.scenario} on ${limit.hostType}: ${limit.runs.join(', ')}.`),
  };
}

function aloneSection(capacity: Capacity): CapacitySection {
  const { alone, asked } = capacity;
  const kinds = new Set(alone.map(({ hostType }) => hostType));
  return {
    title: 'Each kind of host alone',
    head: ['scenario', 'host', 'hosts', ...(asked.prices ? ['in an hour'] : [])],
    numbers: [2, 3],
    rows:
      kinds.size < 2 || asked.together || asked.regions.length > 0
        ? []
        : alone.map(({ scenario, hostType, fleet }) => [
            scenario,
            hostType,
            fleet ? hostsText(fleet.hosts, fleet.fewest) : 'carries too little',
            ...(asked.prices ? [fleet?.perHour === undefined ? '' : capacityMoney(capacity, fleet.perHour)] : []),
          ]),
    notes: [],
  };
}

/** What another way to place sessions would do with the same hosts, and how many it would need. */
function placementSection({ placements, asked }: Capacity): CapacitySection {
  const [first] = placements;
  const fullHouse = asked.demands.flatMap(({ byChance }) => byChance ?? [])[0]?.fullHouse;
  const what = fullHouse?.what === 'overloaded' ? 'overloaded' : 'turned away';
  const regional = asked.regions.length > 0 ? ['region'] : [];
  return {
    title: 'How sessions come to hosts',
    head: [...regional, 'scenario', 'placement', 'hosts', what, `hosts for ${percentText(fullHouse?.share ?? 0)}`],
    numbers: [2, 3, 4].map((column) => column + regional.length),
    rows: placements.map(({ region, scenario, placement, isAsked, hosts, share, hostsNeeded }) => [
      ...(regional.length > 0 ? [region] : []),
      scenario,
      `${placement}${isAsked ? ', as asked' : ''}`,
      grouped(hosts),
      shareText(share, what === 'overloaded' && placement === 'round-robin'),
      grouped(hostsNeeded),
    ]),
    notes: first ? ['Hosts that are spare are not among these.'] : [],
  };
}

/** What is a bound is told as one, and what is next to nothing is not nothing. */
function shareText(share: number, isBound: boolean): string {
  if (share > 0 && share < 0.0001) return '< 0.01 %';
  return `${isBound ? '≤ ' : ''}${percentText(share)}`;
}

function trafficSection({ traffic, peak, choices, relays, joining }: Capacity): CapacitySection {
  const perHost = choices.flatMap(({ limit, sure }) =>
    limit.egress
      ? [
          [
            `a full host (${limit.scenario} on ${limit.hostType})`,
            mbpsText(sure.units * limit.egress.mbpsPerUnit + (limit.egress.mbpsBeside ?? 0)),
          ] as const,
        ]
      : [],
  );
  const rows = [
    ...(traffic ? [['all hosts to participants', mbpsText(traffic.egressMbps)] as const] : []),
    ...(traffic && traffic.feedMbps > 0
      ? [[`from host to host, ${peak.feeds.reduce((a, b) => a + b, 0)} copies`, mbpsText(traffic.feedMbps)] as const]
      : []),
    ...(traffic ? perHost : []),
    ...(relays
      ? [
          [`through relays, for ${grouped(relays.participants)} participants`, mbpsText(relays.mbps)] as const,
          ['ports of relays', grouped(relays.ports)] as const,
        ]
      : []),
    ...(relays?.hosts === undefined ? [] : [['relay hosts', grouped(relays.hosts)] as const]),
  ];
  return {
    title: 'What else runs out',
    head: ['what', 'at the busiest moment'],
    numbers: [1],
    rows,
    notes: joining.map(joinSentence),
  };
}

function costSection(capacity: Capacity): CapacitySection {
  const { cost, asked, choices } = capacity;
  if (!cost) return { title: 'Cost', head: [], numbers: [], rows: [], notes: [] };
  const money = (value: number) => capacityMoney(capacity, value);
  const unit = choices.find(({ limit }) => limit.scenario === asked.demands[0]?.scenario)?.limit.unit;
  const isParticipant = unit?.countsParticipants === true;
  const [perUnit = null] = cost.perUnitHour;
  const hosts = cost.hostsAtLeast === null || cost.hostsAtLeast === cost.hosts ? '' : `${money(cost.hostsAtLeast)} to `;
  return {
    title: 'Cost',
    head: ['of a month', ''],
    numbers: [1],
    rows: [
      ['hosts', `${hosts}${money(cost.hosts)}`],
      ...(cost.egress === null || cost.egressGb === null
        ? []
        : [[`traffic, ${grouped(Math.round(cost.egressGb))} GB`, money(cost.egress)]]),
      ['together', money(cost.total)],
      ['together, an hour in the mean', money(cost.total / hoursPerMonth(asked.prices ?? {}))],
      ...(perUnit === null || isParticipant ? [] : [[`an hour of one ${unit?.one ?? 'session'}`, money(perUnit)]]),
      ...(cost.perParticipantHour === null
        ? []
        : [
            [
              `an hour of one ${isParticipant && asked.demands.length === 1 ? unit.one : 'participant'}`,
              money(cost.perParticipantHour),
            ],
          ]),
    ],
    notes:
      cost.egress === null && asked.prices?.egress
        ? ['Without traffic: its bit rate is not known, so the whole costs more than this.']
        : [],
  };
}

function growthSection(capacity: Capacity): CapacitySection {
  const { growth, asked } = capacity;
  return {
    title: 'Growth',
    head: ['month', ...asked.demands.map(({ scenario }) => scenario), 'hosts', ...(asked.prices ? ['a month'] : [])],
    numbers: Array.from({ length: asked.demands.length + 3 }, (_, column) => column),
    rows: growth.map(({ month, units, hosts, fewest, costPerMonth }) => [
      String(month),
      ...units.map(grouped),
      hostsText(hosts, fewest),
      ...(asked.prices ? [costPerMonth === undefined ? '' : capacityMoney(capacity, costPerMonth)] : []),
    ]),
    notes: [],
  };
}

function curveSection({ curve, asked }: Capacity): CapacitySection {
  return {
    title: 'A day',
    head: ['time', ...asked.demands.map(({ scenario }) => scenario), 'hosts'],
    numbers: Array.from({ length: asked.demands.length + 1 }, (_, column) => column + 1),
    rows: curve.map(({ time, units, hosts, fewest }) => [time, ...units.map(grouped), hostsText(hosts, fewest)]),
    notes: [],
  };
}

function sensitivitySection(capacity: Capacity): CapacitySection {
  const { sensitivity, asked } = capacity;
  return {
    title: 'What a little is worth',
    head: ['change', 'fewer hosts', ...(asked.prices ? ['less a month'] : [])],
    numbers: [1, 2],
    rows: sensitivity.map(({ change, fewerHosts, savedPerMonth }) => [
      change,
      numberNear(fewerHosts),
      ...(asked.prices ? [savedPerMonth === undefined ? '' : capacityMoney(capacity, savedPerMonth)] : []),
    ]),
    notes: ['Without rounding to whole hosts: the slope, and not the next step.'],
  };
}
