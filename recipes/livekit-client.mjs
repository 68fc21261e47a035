// A library module (--library) for LiveKit, by livekit-client: npm install livekit-client beside a copy of this file.
// APP_LIVEKIT_URL=wss://livekit.example APP_LIVEKIT_KEY=… APP_LIVEKIT_SECRET=…
import { createLocalTracks, Room } from 'livekit-client';

// No picture is shown here. A room that sends by what is shown would send nothing.
const room = new Room({ adaptiveStream: false, dynacast: false });

export async function join({ session, participant, env }) {
  await room.connect(env.APP_LIVEKIT_URL, await tokenFor(session, participant, env));
  const tracks = await createLocalTracks({
    audio: true,
    video: { resolution: { width: 320, height: 180, frameRate: 15 } },
  });
  for (const track of tracks) await room.localParticipant.publishTrack(track, { simulcast: false });
}

export const leave = () => room.disconnect();

/** As the app's own server would make it (a JWT, HS256). */
async function tokenFor(session, participant, { APP_LIVEKIT_KEY: iss, APP_LIVEKIT_SECRET: secret }) {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = { iss, sub: participant, exp, video: { room: session, roomJoin: true } };
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => base64url(bytes(JSON.stringify(part)))).join('.');
  const how = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), how, false, ['sign']);
  return `${text}.${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text))))}`;
}

const bytes = (text) => new TextEncoder().encode(text);
const base64url = (data) =>
  btoa(String.fromCharCode(...data))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
