import { expect, test } from '@playwright/test';
import type { Begin, Speaker } from '../../model/signalling.js';
import { fleetOf, type HostStory, onHosts } from '../../tests/hosts-stage.js';

const at = 'https://10.0.0.9/whip';

/** Asks one address, and says what it was told. */
const speaker: Speaker = async (words, { participant, offer }, mayAsk) => {
  mayAsk(at);
  return {
    answer: `answer to ${offer} by ${words}`,
    addCandidate: async () => undefined,
    opened: `${at}/${participant.id}`,
    end: async () => undefined,
  };
};
const speakers = new Map([['toy', async () => speaker]]);

/** A conductor that leaves speaking to the hosts, and what it hears of that. */
function conductor() {
  const heard: string[] = [];
  const begin: Begin = async () => ({
    by: 'probe',
    speak: { kind: 'toy', words: 'heart', spoke: async (opened) => void heard.push(opened) },
  });
  const negotiate = () => Promise.reject(new Error('the conductor was asked to speak'));
  return { heard, begin, negotiate };
}

const two: readonly HostStory[] = [
  { name: 'a', speakers, allow: ['10.0.0.9'] },
  { name: 'b', speakers },
];

test('hosts that speak themselves tell the conductor what they opened, no description goes over the bus, and the record says so', () =>
  onHosts(two, async (stage) => {
    const { heard, ...asked } = conductor();
    const { fleet, join } = fleetOf(await stage.pool());
    await join({ ...asked, size: 1 });
    expect(fleet.records().map(({ up }) => up)).toEqual([true, true]);
    expect(heard.sort()).toEqual([`${at}/1a`, `${at}/1b`]);
    expect(fleet.hosts().map(({ spokenLegs }) => spokenLegs)).toEqual([1, 1]);
    const words = stage.bus.asked.map(({ text }) => text).join('\n');
    expect(words).not.toContain('offer of');
    expect(stage.bus.appended.join('\n'), 'and nothing of it is kept').not.toContain('heart');
    await fleet.close();
  }));

test('a host that may not ask the media server is lost, and says why', () =>
  onHosts([{ name: 'a', speakers, allow: ['10.0.0.8'] }], async (stage) => {
    const { heard, ...asked } = conductor();
    const { fleet, events, join } = fleetOf(await stage.pool());
    await join({ ...asked, size: 1 });
    expect(events.find(({ type }) => type === 'host-lost')).toMatchObject({
      detail: expect.stringMatching(/10\.0\.0\.9.*--allow/),
    });
    expect(heard).toEqual([]);
    await fleet.close();
  }));

test('a host that does not know how to speak to the server fails its probe, and says so', () =>
  onHosts([{ name: 'a' }], async (stage) => {
    const { heard: _, ...asked } = conductor();
    const { fleet, join } = fleetOf(await stage.pool());
    await join({ ...asked, size: 1 });
    const [failure] = fleet.records()[0]?.failures ?? [];
    expect(failure?.detail).toContain('this host does not know how to speak to a toy server');
    await fleet.close();
  }));
