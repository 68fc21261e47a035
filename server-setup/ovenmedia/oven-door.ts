import type { Environment } from '../../model/environment.js';
import { withWhy } from '../../model/errors.js';
import type { IceCandidate, ServerOffers } from '../../model/signalling.js';
import type { Expected } from '../sockets/open-socket.js';
import { type MessageSocket, shownUrl } from '../stream-sockets/message-socket.js';
import type { StreamDoor, Talk, TalkOrder, Way } from '../stream-sockets/stream-door.js';
import { type OvenOffer, queryName, readOffer, refusalIn } from './oven-words.js';

const expected: Expected = {
  inWords: 'an OvenMediaEngine',
  named: '--server ovenmedia://host:3333/app',
  todo: 'give the port of <Signalling> under <WebRTC> in its Server.xml',
};

/** @param application "ws://host:3333/app" */
export function ovenDoor(application: string, env: Environment): StreamDoor {
  const shown = env[queryName] ?? '';
  const urlOf = (way: Way, stream: string): string => {
    // Who publishes says so; who says nothing views.
    const query = [...(way === 'publish' ? ['direction=send'] : []), ...(shown === '' ? [] : [shown])].join('&');
    return `${application}/${stream}${query === '' ? '' : `?${query}`}`;
  };
  return {
    expected,
    urlOf,
    talk: (socket, order) => ovenTalk(socket, order, shownUrl(urlOf(order.way, order.stream))),
  };
}

/** The server offers both ways: who publishes answers, too. */
function ovenTalk(socket: MessageSocket, { way, onCandidate, onComplaint, signal }: TalkOrder, where: string): Talk {
  let offered: OvenOffer | undefined;
  const refusalOf = (message: Parameters<typeof readOffer>[0]) => refusalIn(message, way, where);
  const ask = async (): Promise<OvenOffer> => {
    offered = await socket.ask(
      { command: 'request_offer' },
      (message) => {
        const refusal = refusalOf(message);
        if (refusal) throw refusal;
        return readOffer(message);
      },
      signal,
    );
    return offered;
  };
  const say = (command: string, more: object = {}) => socket.say({ ...offered?.ids, command, ...more });
  const begin = async (): Promise<ServerOffers> => {
    const { sdp, candidates, iceServers } = await ask();
    socket.hear((message) => {
      const refusal = refusalOf(message);
      if (refusal) onComplaint(withWhy(refusal));
    });
    for (const candidate of candidates) onCandidate(candidate);
    return {
      by: 'server',
      offer: sdp,
      candidates: 'trickled',
      ...(iceServers.length === 0 ? {} : { iceServers }),
      answer: async (answer) => say('answer', { sdp: { type: 'answer', sdp: answer } }),
      addCandidate: async (candidate: IceCandidate) => say('candidate', { candidates: [candidate] }),
    };
  };
  return {
    prove: ask,
    begin,
    end: async () => {
      if (offered === undefined) return 'asked';
      say('stop');
      return { unconfirmed: 'it does not say that a stream has ended' };
    },
  };
}
