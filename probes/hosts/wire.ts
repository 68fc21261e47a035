import { z } from 'zod';
import { kindCalibrationsSchema } from '../../model/calibration.js';
import { videoCodecs } from '../../model/codec.js';
import { dataSchema } from '../../model/data-schema.js';
import { eachKind } from '../../model/probe-kinds.js';
import { svcSchema } from '../../model/simulcast.js';
import { turnProtocols } from '../../model/turn.js';
import { impairs, networkCheck, networkFacts, networksOrderSchema } from './wire-networks.js';
import { name, participant, participantsMax } from './wire-participants.js';

/** What goes over the bus, to the last field: whatever has another one is refused. Raised with each change. */
export const wireFormat = 18;

const descriptionCharactersMax = 1_000_000;
const text = z.string().max(2000);
const token = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const count = z.number().int().nonnegative();
const milliseconds = z.number().nonnegative().max(86_400_000);

const candidateSchema = z.strictObject({
  candidate: z.string().max(4000),
  sdpMid: z.string().max(200).nullable(),
  sdpMLineIndex: count.nullable(),
});
const description = z.string().max(descriptionCharactersMax);
const iceServers = z
  .array(
    z.strictObject({
      urls: z
        .array(
          z
            .string()
            .regex(/^(stun|stuns|turn|turns):/i)
            .max(500),
        )
        .max(10),
      username: text.exactOptional(),
      credential: text.exactOptional(),
    }),
  )
  .max(10);
const places = z.array(
  z.union([z.strictObject({ stream: name, mid: name }), z.strictObject({ stream: name, msid: name })]),
);
const serverOffer = { offer: description, places: places.exactOptional(), ended: z.array(name).exactOptional() };

const seat = z.strictObject({ nth: count, index: count });
/** The host has the app's address and the join script itself: `app` says that they are the same as the conductor's. */
const pages = z.strictObject({
  app: token,
  trial: token,
  block: z.array(text).max(200),
  painted: z.boolean(),
  encoded: z.boolean(),
  seats: z.record(name, seat),
});

/** As large as a camera of any test is; a host would try to make the clip of one that is larger. */
const media = z.strictObject({
  width: z.number().int().min(16).max(3840),
  height: z.number().int().min(16).max(2160),
  framesPerSecond: z.number().int().min(1).max(60),
  videoKbps: z.number().int().min(1).max(50_000),
  videoCodec: z.enum(videoCodecs),
  drawnMarks: z.literal(true).exactOptional(),
  see: count.exactOptional(),
  data: dataSchema.exactOptional(),
  svc: svcSchema.exactOptional(),
});
const turnAddress = text.regex(/^turns?:/i).max(500);
const protocol = z.enum(turnProtocols);
const access = z.union([
  z.strictObject({ url: turnAddress, protocol, username: text, credential: text }),
  z.strictObject({ protocol }),
]);

const joinOrder = z.strictObject({
  do: z.literal('join'),
  trial: token,
  /** What the host is called in this run. */
  host: name,
  /** Its clock, as marks name it: no other machine of this run has the same. */
  ownClock: count,
  media,
  encoded: z.strictObject({ fullShare: z.number().min(0).max(1) }).exactOptional(),
  lightVoice: z.literal(true).exactOptional(),
  /** Present where pages of a web app are played. */
  pages: pages.exactOptional(),
  /** Whom each player plays, by the conductor's choice; browsers play whom it does not name. */
  cast: z.record(name, z.array(name).max(participantsMax)),
  probesPerPage: z.number().int().min(1).max(1000),
  pagesPerBrowser: z.number().int().min(1).max(1000),
  participants: z.array(participant).min(1).max(participantsMax),
  starts: z.record(name, z.strictObject({ startMs: milliseconds, sourcesMs: milliseconds })),
  pacePerSecond: z.number().positive().max(10_000),
  deadlineMs: milliseconds,
  /** They come when told to, except residents; so many are there at a time. Absent: all join at the pace. */
  arriving: z
    .strictObject({
      stay: z.array(name).max(participantsMax),
      /** By player. */
      atOnce: z.record(name, count),
    })
    .exactOptional(),
  relay: z.strictObject({ accesses: z.record(name, access), trustedKey: text.exactOptional() }).exactOptional(),
});

const ofTrial = { trial: token };
const orderSchema = z.discriminatedUnion('do', [
  ...networksOrderSchema.options,
  z.strictObject({ do: z.literal('reserve'), by: name, wireFormat: count, build: name }),
  z.strictObject({ do: z.literal('release') }),
  /** It measures what it carries, beside a media server of its own, and keeps that; minutes. */
  z.strictObject({ do: z.literal('calibrate') }),
  joinOrder,
  /** The browsers of all hosts are there: the pace begins, by the host's own clock. */
  z.strictObject({ do: z.literal('begin'), ...ofTrial, atMs: z.number().positive() }),
  /** These come and go, each when it is due by the host's own clock. */
  z.strictObject({ do: z.literal('come'), ...ofTrial, dueMs: z.record(name, z.number().positive()) }),
  /** These leave, while others come: since when, by the host's own clock. */
  z.strictObject({
    do: z.literal('hang-up'),
    ...ofTrial,
    probes: z.array(name).max(participantsMax),
    outMs: z.number().positive(),
  }),
  z.strictObject({ do: z.literal('candidate'), ...ofTrial, probe: name, leg: name, candidate: candidateSchema }),
  z.strictObject({
    do: z.literal('renegotiate'),
    ...ofTrial,
    probe: name,
    leg: name,
    offer: z.strictObject(serverOffer),
  }),
  /** Joining is over, whatever became of it. */
  z.strictObject({ do: z.literal('stop'), ...ofTrial }),
  z.strictObject({ do: z.literal('leave'), ...ofTrial }),
  z.strictObject({ do: z.literal('close'), ...ofTrial }),
]);

/** Carried out once, however often it comes: `id` tells. Only the holder of the lease may give orders. */
export const orderEnvelope = z.strictObject({ id: token, lease: token, order: orderSchema });
export type Order = z.infer<typeof orderSchema>;
export type JoinOrder = z.infer<typeof joinOrder>;

const refusal = z.strictObject({
  ok: z.literal(false),
  code: name.exactOptional(),
  message: text,
  why: text.exactOptional(),
});
export type OrderRefusal = z.infer<typeof refusal>;

/**
 * `answer` is the probe's, to an order to renegotiate; `calibrated` what was found, to one to calibrate. `networks` is
 * what shapes them, to an order to make them; `checks` and `overflow` what was measured, to those to shape and to clear
 * them.
 */
export const orderReply = z.union([
  z.strictObject({
    ok: z.literal(true),
    answer: description.exactOptional(),
    calibrated: kindCalibrationsSchema.exactOptional(),
    networks: networkFacts.exactOptional(),
    checks: z.array(networkCheck).readonly().exactOptional(),
    overflow: count.exactOptional(),
  }),
  refusal,
]);
export type OrderReply = z.infer<typeof orderReply>;

/**
 * What the clock of a host shows, whether it still holds for who asks, and why it takes no further trial. Asking keeps
 * it held.
 */
export const clockQuestion = z.strictObject({ lease: token });
export const clockReply = z.strictObject({ atMs: z.number(), held: z.boolean(), leaving: text.exactOptional() });

const carried = z.strictObject(eachKind(() => count));
export const offerSchema = z.strictObject({
  instance: token,
  name,
  place: name.exactOptional(),
  wireFormat: count,
  version: name,
  build: name,
  /** Absent: there is none. */
  chromium: name.exactOptional(),
  cores: z.number().positive(),
  memoryMb: count,
  memoryFreeMb: count.exactOptional(),
  /** As many probes as it was measured to carry; absent: it was not measured with this Chromium. */
  carries: carried.exactOptional(),
  /** Tells one running kernel from another, so that hosts on one machine are known to be. */
  boot: name,
  /** Of its network namespace, where that is known: two hosts of one machine and one of these share all links. */
  netns: name.exactOptional(),
  /** The web app that it visits, with what joins it, as a digest; absent: none. */
  app: token.exactOptional(),
  /** Absent: it impairs none. */
  impairs: impairs.exactOptional(),
  /** Whose run it serves now. */
  busyBy: name.exactOptional(),
  /** It ends soon: why. */
  leaving: text.exactOptional(),
});
/** What a host says that it is. */
export type HostOffer = z.infer<typeof offerSchema>;

const asked = { probe: name, leg: name };
const signalSchema = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('begin'), ...asked }),
  z.strictObject({ ask: z.literal('answer'), ...asked, answer: description }),
  z.strictObject({ ask: z.literal('negotiate'), ...asked, offer: description }),
  z.strictObject({ ask: z.literal('candidate'), ...asked, candidate: candidateSchema }),
  /** The host has spoken itself: what it has opened, for the conductor to end. */
  z.strictObject({ ask: z.literal('spoke'), ...asked, opened: z.string().max(100_000) }),
  /** The probe does not wait any more. */
  z.strictObject({ ask: z.literal('called-off'), ...asked }),
]);
export const signalEnvelope = z.strictObject({ id: token, trial: token, signal: signalSchema });
export type Signal = z.infer<typeof signalSchema>;

const timing = z.enum(['trickled', 'in-one-message', 'after-the-answer']);
const ofBoth = { iceServers: iceServers.exactOptional(), waitedMs: z.number().min(0).exactOptional() };
const firstOffer = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('probe'),
    ...ofBoth,
    /** The host speaks to the media server itself; the words are for the speaker of that kind alone. */
    speak: z.strictObject({ kind: name, words: z.string().max(100_000) }).exactOptional(),
    candidates: timing.exactOptional(),
    takesEnd: z.literal(true).exactOptional(),
    restartIceAfterMs: z.number().exactOptional(),
  }),
  z.strictObject({
    by: z.literal('server'),
    ...serverOffer,
    ...ofBoth,
    candidates: timing.exclude(['after-the-answer']).exactOptional(),
  }),
]);
export const signalReply = z.union([
  z.strictObject({ ok: z.literal(true), first: firstOffer }),
  z.strictObject({ ok: z.literal(true), answer: description, iceServers: iceServers.exactOptional() }),
  z.strictObject({ ok: z.literal(true) }),
  refusal,
]);
export type SignalReply = z.infer<typeof signalReply>;
