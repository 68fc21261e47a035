import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { withLayers } from '../../scenarios/with-layers.js';
import { anAnswer, type WhipScript } from '../../tests/scripted-whip.js';
import { soon } from '../../tests/soon.js';
import { closeAll, requestOf, started, viewer } from '../../tests/whip-stage.js';
import { whipAbilities } from './abilities.js';

test.afterEach(closeAll);

const abilities = { ...whipAbilities, simulcastRids: ['l', 'm', 'h'] as const };
const links =
  '</events/7>; rel="urn:ietf:params:whep:ext:core:server-sent-events"; events="layers", </layer/7>; rel="urn:ietf:params:whep:ext:core:layer"';
const simulcast = { rids: ['l', 'm', 'h'], asked: 'middle' } as const;
const media = {
  width: 1280,
  height: 720,
  framesPerSecond: 30,
  videoKbps: 2500,
  videoCodec: 'H264',
  simulcast,
} as const;
const layered = withLayers(broadcast, media);
const asking = layered.sessions(2)[0]?.participants[1]?.legs[0] as Leg;

const layersEvent = (...rids: readonly string[]) => {
  const layers = rids.map((encodingId) => ({ encodingId }));
  return `event: layers\ndata: ${JSON.stringify({ 1: { layers }, 2: { layers: [{ encodingId: 'audio' }] } })}\n\n`;
};
const offering =
  (events: string, link = links, status = 200): WhipScript =>
  ({ method, path }) => {
    if (path === '/events/7') return { status: 200, headers: { 'content-type': 'text/event-stream' }, text: events };
    if (path === '/layer/7') return { status };
    const answered = { status: 201, headers: { location: '/s/7', ...(link === '' ? {} : { link }) }, text: anAnswer };
    return method === 'POST' ? answered : undefined;
  };
const viewed = async (script: WhipScript) => {
  const { opened, scripted, events } = await started(script, { abilities });
  await opened.join(requestOf(viewer, { leg: asking }));
  const told = () => events.flatMap((event) => ('name' in event ? [[event.name, event.detail]] : []));
  await soon(() => told().length).toBe(1);
  return { scripted, told: told()[0] ?? [] };
};

test('the layer that a viewer asks for is chosen by POST, once an event of the server names it', async () => {
  const { scripted, told } = await viewed(
    offering(`event: status\ndata: {}\n\n${layersEvent('h')}${layersEvent('h', 'm', 'l')}`),
  );
  expect(told).toEqual(['layer-chosen', 'm']);
  const chosen = scripted.requests.at(-1);
  expect([chosen?.method, chosen?.path, chosen?.headers['content-type']]).toEqual([
    'POST',
    '/layer/7',
    'application/json',
  ]);
  expect(JSON.parse(chosen?.body ?? '')).toEqual({ mediaId: '1', encodingId: 'm' });
});

for (const [what, script, why] of [
  ['offers no extension', offering('', ''), /offers no extension of WHEP/],
  ['names other layers', offering(layersEvent('h')), /did not name the layer m in time: it told of h, audio$/],
  ['sends what is no event of layers', offering('event: layers\ndata: ]\n\n'), /it told of none$/],
  ['refuses the layer', offering(layersEvent('m'), links, 400), /answers 400 Bad Request to the layer m$/],
  ['leads elsewhere', offering('', links.replace('/layer/7', 'http://192.0.2.1/layer')), /another origin, http:/],
] as const) {
  test(`a server that ${what} is told by name`, async () => {
    const { told } = await viewed(script);
    expect(told).toEqual(['layer-not-chosen', expect.stringMatching(why)]);
  });
}
