import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { parseDuration } from '../../model/units.js';
import type { ServerOption } from '../server-kind.js';
import { checkedEndpoint, streamPlace } from './endpoint-url.js';

export const whipWord = 'whip';

/** Where streams are published and where they are viewed; what must be shown there comes from the environment. */
export const endpointsOption: ServerOption = {
  flags: [
    { flag: '--whip <url>', help: `whip: where a stream is published (RFC 9725), with ${streamPlace} for its name` },
    { flag: '--whep <url>', help: 'whip: where it is viewed' },
  ],
  follows: [
    { setting: 'url', flag: '--whip' },
    { setting: 'whep', flag: '--whep' },
  ],
  read: ({ server, whip, whep }) => {
    if (server === whipWord && (whip === undefined || whep === undefined)) {
      const missing = [whip === undefined ? ['whip'] : [], whep === undefined ? ['whep'] : []].flat();
      throw new LoadlineError('E_USAGE', `--server ${whipWord} needs the addresses of both endpoints.`, {
        where: missing.map((one) => `--${one}`).join(', '),
        todo: {
          write: Object.fromEntries(missing.map((one) => [`--${one}`, `https://host/${streamPlace}/${one}`])),
          note: 'as the server has them',
        },
      });
    }
    return {
      ...(whip === undefined ? {} : { url: checkedEndpoint(String(whip), '--whip') }),
      ...(whep === undefined ? {} : { whep: checkedEndpoint(String(whep), '--whep') }),
    };
  },
  refusal: (_, address) => ({
    text: `--whip and --whep are for --server ${whipWord}.`,
    why: `the server is ${address}`,
  }),
};

/** For who asks whether a server keeps its participants when their network changes. */
export const restartIceOption: ServerOption = {
  flags: [{ flag: '--ice-restart <time>', help: 'whip: each probe restarts ICE so long after its answer, by PATCH' }],
  read: ({ iceRestart }) => {
    if (iceRestart === undefined) return {};
    const restartIceAfterMs = parseDuration(String(iceRestart), '--ice-restart');
    if (restartIceAfterMs >= 1000) return { restartIceAfterMs };
    throw new LoadlineError('E_USAGE', `--ice-restart is too soon after an answer: ${String(iceRestart)}.`, {
      where: '--ice-restart',
      why: 'a probe has to connect first',
      todo: { write: { '--ice-restart': '15s' } },
    });
  },
  refusal: ({ inWords }) => ({
    text: `--ice-restart is for servers of WHIP and WHEP, not for ${inWords}.`,
    why: 'it restarts ICE by the PATCH of RFC 9725, 4.3.3',
  }),
};

/** For who tests a server, and not what it carries. */
export const strictOption: ServerOption = {
  flags: [{ flag: '--strict-whip', help: 'whip: what departs from RFC 9725 is an error', shape: z.boolean() }],
  read: ({ strictWhip }) => (strictWhip === true ? { strict: true } : {}),
  refusal: (_, address) => ({
    text: `--strict-whip is for --server ${whipWord}.`,
    why: `the server is ${address}`,
  }),
};
