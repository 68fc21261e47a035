import { z } from 'zod';
import type { IceCandidate } from '../../model/signalling.js';
import type { Message } from '../stream-sockets/message-socket.js';
import { StreamRefusal, type Way } from '../stream-sockets/stream-door.js';

export const tokenName = 'LOADLINE_ANTMEDIA_TOKEN';

interface Meaning {
  /** A sentence. */
  readonly means: string;
  readonly todo?: string;
}

const otherToken = `set ${tokenName} to one that may publish and play any stream, or switch the application's stream security off`;

/** By the definitions of its errors (its WebSocket messaging reference). */
const meanings: Readonly<Record<string, Meaning>> = {
  no_stream_exist: {
    means: 'The stream is not there. A Community Edition says this of every stream: it gives none by WebRTC.',
  },
  streaming_starts_soon: { means: 'The stream is being prepared.' },
  unauthorized_access: { means: 'The token is wrong or missing.', todo: otherToken },
  not_allowed_unregistered_streams: {
    means: 'The application takes streams alone that were made before.',
    todo: 'have it accept undefined streams (acceptOnlyStreamsInDataStore=false)',
  },
  no_codec_enabled_in_the_server: {
    means: 'The application has no codec switched on.',
    todo: 'switch H.264 or VP8 on in its settings',
  },
  notSetRemoteDescription: {
    means: 'It cannot work with the description, as when it knows none of the codecs.',
    todo: 'switch the codec of the plan on in its settings, or name another by --codec',
  },
  highResourceUsage: { means: 'It is overloaded by its own limits (server.cpu_limit, server.min_free_ram).' },
  viewerLimitReached: { means: 'The stream has as many viewers as it may have.' },
  streamIdInUse: { means: 'The stream is there already.' },
  publishTimeoutError: { means: 'No media came in its time (webRTCClientStartTimeoutMs).' },
  not_initialized_yet: { means: 'It is starting up.', todo: 'wait until the application runs' },
  license_suspended_please_renew_license: { means: 'Its licence is suspended.' },
  data_store_not_available: { means: 'Its data store is not there.' },
  encoderNotOpened: { means: 'It cannot open an encoder.' },
  encoderBlocked: { means: 'Its encoder does not keep up.' },
};

const notThere = new Set(['no_stream_exist', 'streaming_starts_soon']);
const words: Readonly<Record<Way, string>> = { publish: 'take a stream', view: 'give a stream' };

/** Of messages of this stream; undefined: another message. */
export function refusalIn(message: Message, way: Way, where: string): StreamRefusal | undefined {
  const { command, definition, information } = message;
  const isNotYet = command === 'notification' && definition === 'streaming_starts_soon';
  if (command !== 'error' && !isNotYet) return undefined;
  const said = String(definition ?? 'an error without a definition');
  const { means = '', todo } = meanings[said] ?? {};
  const why = typeof information === 'string' ? `${said}: ${information}` : said;
  const what = `The Ant Media Server refused to ${words[way]}. ${means}`.trim();
  return new StreamRefusal(what, { where, why, todo }, notThere.has(said));
}

const description = z.object({
  command: z.literal('takeConfiguration'),
  streamId: z.string(),
  type: z.enum(['offer', 'answer']),
  sdp: z.string(),
});

/** The SDP of this type; undefined: another message. */
export function readDescription(message: Message, stream: string, type: 'offer' | 'answer'): string | undefined {
  const read = description.safeParse(message);
  return read.success && read.data.streamId === stream && read.data.type === type ? read.data.sdp : undefined;
}

const candidateSchema = z.object({
  command: z.literal('takeCandidate'),
  streamId: z.string(),
  label: z.coerce.number(),
  id: z.string().nullish(),
  candidate: z.string(),
});

/** Undefined: another message. */
export function readCandidate(message: Message, stream: string): IceCandidate | undefined {
  const read = candidateSchema.safeParse(message);
  if (!read.success || read.data.streamId !== stream) return undefined;
  const { label, id, candidate } = read.data;
  return { candidate, sdpMid: id ?? null, sdpMLineIndex: label };
}

/** A stream's own words for that it has ended. */
export const isFinished = ({ command, definition, streamId }: Message, stream: string): boolean =>
  command === 'notification' &&
  (definition === 'publish_finished' || definition === 'play_finished') &&
  (streamId === undefined || streamId === stream);
