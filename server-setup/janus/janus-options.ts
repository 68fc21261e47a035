import type { ScalabilityMode } from '../../model/codec.js';
import type { ListingOptions } from '../listing-server.js';
import type { Expected } from '../sockets/open-socket.js';

export interface JanusOptions extends ListingOptions {
  /** What senders are told to send at most, kbit/s. */
  readonly maxVideoKbps: number;
  /** Lower case, as rooms of Janus name it: "vp8". */
  readonly videoCodec: string;
  /** The layers within each stream of video; absent: it has one. */
  readonly svc?: ScalabilityMode;
  /** Where the Admin API is; absent: the usual place on the same host. Asked only with its secret. */
  readonly adminUrl?: string;
  readonly secrets?: JanusSecrets;
}

/** From the environment, and stored nowhere. */
export interface JanusSecrets {
  /** `api_secret` of janus.jcfg. */
  readonly api?: string | undefined;
  /** `admin_secret` of janus.jcfg. */
  readonly admin?: string | undefined;
  /** `admin_key` of janus.plugin.videoroom.jcfg, without which no room can be made where it is set. */
  readonly roomKey?: string | undefined;
}

/** The variables that secrets are read from. */
export const secretNames = {
  api: 'LOADLINE_JANUS_API_SECRET',
  admin: 'LOADLINE_JANUS_ADMIN_SECRET',
  roomKey: 'LOADLINE_JANUS_ROOM_KEY',
} as const;

/** Who is expected where one is named. */
export const aJanus: Expected = {
  inWords: 'a Janus media server',
  named: '--server janus://host:port',
  todo: 'check the port: the WebSockets of Janus are on 8188, HTTP is on 8088 with the path /janus, unless told otherwise',
  subprotocol: 'janus-protocol',
};

export const anAdminApi: Expected = {
  inWords: 'the Admin API of a Janus',
  named: '--janus-admin ws://host:port',
  todo: 'set admin_ws = true in janus.transport.websockets.jcfg, give its address, or leave the admin secret out',
  subprotocol: 'janus-admin-protocol',
};
