import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Ask, type AskedTurn, layerNames, switchMostMs } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import type { Participant, Session } from '../model/scenario.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { sfuGroup } from '../scenarios/group.js';
import { onConnections } from '../scenarios/on-connections.js';
import { withLayers } from '../scenarios/with-layers.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { Asks } from '../trial/asks.js';
import { long } from './effort.js';
import { clipOfBytes } from './native-clip.js';
import { NativeMembers } from './native-members.js';
import { hasJanus, realJanus } from './real-janus.js';
import { soon } from './soon.js';

const { signal } = new AbortController();
const secret = 'of-this-test';
const videoKbps = 1000;
const clips = [clipOfBytes([80], 10, 240), clipOfBytes([240], 10, 480), clipOfBytes([600], 10, 960)];
const simulcast = { rids: ['l', 'm', 'h'], asked: 'high' } as const;
const media = mediaSchema.parse({ width: 960, height: 540, videoKbps, simulcast });
const seconds = 28;

/** Each receiver begins with another layer, and asks for each of the three, and for none. */
function turnsFrom(first: number): readonly AskedTurn[] {
  const order: readonly Ask[] = ['low', 'high', 'middle', 'none'];
  return order.map((_, nth) => [nth * 7000, order[(first + nth) % order.length] ?? 'none'] as const);
}

function withTurns(one: Participant, first: number): Participant {
  const legs = one.legs.map((leg) => {
    if (!Array.isArray(leg.from)) return leg;
    const from = leg.from.map((source) =>
      source.layer ? { ...source, layer: { ...source.layer, turns: turnsFrom(first) } } : source,
    );
    return { ...leg, from };
  });
  return { ...one, legs };
}

const answerSchema = z.object({
  transaction: z.string().optional(),
  sessions: z.array(z.number()).optional(),
  handles: z.array(z.number()).optional(),
  info: z.object({ plugin_specific: z.record(z.string(), z.unknown()).optional() }).optional(),
});
const pictureSchema = z.array(
  z.object({
    type: z.string(),
    feed_display: z.string().optional(),
    send: z.boolean().optional(),
    simulcast: z.object({ substream: z.number() }).optional(),
  }),
);

/** The Admin API: by who receives and who sends, the layer that Janus says it forwards. */
class JanusWord {
  readonly #open = new Map<string, (answer: z.infer<typeof answerSchema>) => void>();

  private constructor(
    private readonly socket: WebSocket,
    private readonly members: readonly string[],
  ) {
    socket.on('message', (data) => {
      const answer = answerSchema.parse(JSON.parse(String(data)));
      this.#open.get(answer.transaction ?? '')?.(answer);
    });
  }

  static async open(url: string, members: readonly string[]): Promise<JanusWord> {
    const socket = new WebSocket(url, 'janus-admin-protocol');
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new JanusWord(socket, members);
  }

  #ask(janus: string, fields: Readonly<Record<string, number>> = {}): Promise<z.infer<typeof answerSchema>> {
    const transaction = `${janus}-${Object.values(fields).join('-')}`;
    return new Promise((resolve) => {
      this.#open.set(transaction, resolve);
      this.socket.send(JSON.stringify({ janus, transaction, admin_secret: secret, ...fields }));
    });
  }

  async now(): Promise<ReadonlyMap<string, Ask>> {
    const told = new Map<string, Ask>();
    const { sessions = [] } = await this.#ask('list_sessions');
    for (const session_id of sessions) {
      const { handles = [] } = await this.#ask('list_handles', { session_id });
      const infos = await Promise.all(handles.map((handle_id) => this.#ask('handle_info', { session_id, handle_id })));
      for (const { info } of infos) {
        if (info?.plugin_specific?.type !== 'subscriber') continue;
        const all = pictureSchema.parse(info.plugin_specific.streams ?? []);
        // Who receives everybody else's: Janus knows a subscriber by no name.
        const [receiver] = this.members.filter((one) => all.every((stream) => stream.feed_display !== one));
        for (const { type, feed_display, send, simulcast: layers } of all)
          if (type === 'video')
            told.set(
              `${receiver} ${feed_display}`,
              send === false ? 'none' : (layerNames[layers?.substream ?? -1] ?? 'none'),
            );
      }
    }
    return told;
  }

  close(): void {
    this.socket.close();
  }
}

test(
  'in a room of three on a real Janus the layer measured is the one that Janus says it forwards, through all switches',
  long,
  async () => {
    test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
    test.setTimeout(120_000);
    await NativeLink.prepare();
    const janus = await realJanus({ adminSecret: secret });
    const server = new JanusServer({ url: janus.url, maxVideoKbps: videoKbps, videoCodec: 'vp8' });
    await server.start(signal);
    const [found] = withLayers(onConnections(sfuGroup(3), 'one'), media).sessions(1) as [Session];
    const participants = found.participants.map(withTurns);
    const opened = await server.openSession({ ...found, participants }, signal);
    const sending = { clips, videoKbps };
    const surroundings = workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', sending });
    const members = new NativeMembers(opened, surroundings, signal);
    const word = await JanusWord.open(
      janus.adminUrl,
      participants.map(({ id }) => id),
    );
    const asks = new Asks(participants);
    asks.askBy(async (request) => opened.ask?.(request));
    const ended = new AbortController();
    try {
      for (const one of participants) members.join(one);
      const all = () => [...members.all.values()];
      const receiving = () =>
        all().flatMap(({ probe }) =>
          (probe.sample(0)?.streams ?? []).filter(
            ({ direction, kind, metrics }) => direction === 'receive' && kind === 'video' && 'framesDecoded' in metrics,
          ),
        ).length;
      await soon(receiving, { timeout: 20_000 }).toBe(6);
      // All layers have come up by then.
      await sleep(3000);
      const clock = { nowMs: Date.now, sleep: (ms: number) => sleep(ms, undefined, { signal: ended.signal }) };
      void asks.begin({ clock, signal: ended.signal, onFailure: (_, detail) => expect.soft(detail).toBe('') });
      for (const { probe } of all()) probe.sample(0);
      const compared: { layer: string; word: string | undefined; ask: string; settled: boolean }[] = [];
      for (let second = 0; second < seconds; second += 1) {
        await sleep(1000);
        const told = await word.now();
        for (const { id, probe } of all()) {
          const sample = probe.sample(0);
          for (const stream of sample ? asks.marked(sample).streams : []) {
            if (stream.direction !== 'receive' || stream.kind !== 'video' || !stream.asked) continue;
            const { frameWidth, framesDecoded = 0 } = stream.metrics;
            const layer =
              framesDecoded > 0 ? (layerNames[Math.log2((frameWidth ?? 0) / 240)] ?? `${frameWidth}`) : 'none';
            const settled = stream.asked.forMs > 1000 + switchMostMs;
            compared.push({ layer, word: told.get(`${id} ${stream.stream}`), ask: stream.asked.layer, settled });
          }
        }
      }
      const settled = compared.filter((one) => one.settled);
      expect(settled.filter(({ layer, word: said }) => layer !== said)).toEqual([]);
      expect(new Set(settled.map(({ layer }) => layer)).size).toBe(4);
    } finally {
      ended.abort();
      word.close();
      members.close();
      await opened.close();
      await server.stop();
      await janus.close();
    }
  },
);
