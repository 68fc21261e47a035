import { ClipPlayer } from '../../encoded/clip-player.js';
import type { StandIn, StandIns } from './stand-ins.js';
import type { EncodedPicture, SaidOfSender, Size } from './wire.js';

/** Puts other data into an encoded picture, or leaves it as it is. */
interface Pictures {
  handle(picture: EncodedPicture): void | Promise<void>;
}

const isKey = ({ type }: EncodedPicture): boolean => type === 'key';

/** Of a key frame. Of VP8 it also stands in the frame (RFC 6386, 9.1). Zero where nobody says. */
function sizeOf(picture: EncodedPicture): Size {
  const { width = 0, height = 0 } = picture.getMetadata();
  const data = new DataView(picture.data);
  if (width > 0 || data.byteLength < 10 || data.getUint8(3) !== 0x9d || data.getUint16(4) !== 0x012a)
    return { width, height };
  return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff };
}

/** A buffer of the frame's own: the browser takes it with the frame. */
const ownBuffer = (data: Uint8Array): ArrayBuffer => data.slice().buffer as ArrayBuffer;

/** Received pictures give way to such that cost a decoder nothing, key for key. What has no stand-in is decoded. */
export function receivedPictures(standIns: Pick<StandIns, 'of'>): Pictures {
  let standIn: StandIn | undefined;
  let of = '';
  const put = (picture: EncodedPicture): void => {
    if (standIn) picture.data = ownBuffer(isKey(picture) ? standIn.key : standIn.delta);
  };
  const changed = async (picture: EncodedPicture, mimeType: string, size: Size): Promise<void> => {
    standIn = await standIns.of(mimeType, size);
    put(picture);
  };
  return {
    handle(picture) {
      if (isKey(picture)) {
        const { mimeType = '', width = 0, height = 0 } = picture.getMetadata();
        const now = `${mimeType} ${width}x${height}`;
        if (now !== of) {
          of = now;
          return changed(picture, mimeType, { width, height });
        }
      }
      return put(picture);
    },
  };
}

interface Recording extends Size {
  readonly frames: readonly Uint8Array[];
}

/** By name: what two senders make alike is encoded once. */
export type Recordings = Map<string, Recording>;

/**
 * What one encoder makes goes out as it is, until some of it is recorded. Once the encoder is told to make tiny
 * pictures, the recording goes out in their place, key for key. Which of the two it makes shows in each key frame's
 * size, so that no order can be early or late.
 */
export class SentPictures implements Pictures {
  private wanted: { readonly name: string; readonly frames: number } | undefined;
  private kept: Uint8Array[] = [];
  private size: Size = { width: 0, height: 0 };
  private recording: Recording | undefined;
  private player: ClipPlayer | undefined;
  private isResting = false;
  private tiny: Size | undefined;

  constructor(
    private readonly recordings: Recordings,
    private readonly say: (said: SaidOfSender['said'], size?: Size) => void,
  ) {}

  /** Keeps that number of frames from the next key frame on, unless there are some by this name. */
  record(name: string, frames: number): void {
    const known = this.recordings.get(name);
    this.kept = [];
    if (known) this.have(known);
    else {
      this.wanted = { name, frames };
      this.say('key-frame-wanted');
    }
  }

  /** What is not complete yet is dropped. Pictures of another size than the tiny ones go out from now on. */
  stop(): void {
    this.wanted = undefined;
    this.kept = [];
    this.isResting = false;
  }

  handle(picture: EncodedPicture): void {
    if (isKey(picture)) this.begin(sizeOf(picture));
    if (this.player) this.replay(picture, this.player);
    else this.keep(picture);
  }

  private begin(size: Size): void {
    const { recording, isResting } = this;
    this.size = size;
    this.kept = [];
    if (recording && isResting && size.width > 0 && size.width < recording.width) this.tiny = size;
    const { width, height } = this.tiny ?? {};
    if (!recording || width !== size.width || height !== size.height) this.player = undefined;
    else this.player ??= new ClipPlayer([{ kbps: 0, frames: recording.frames }], 0);
  }

  private replay(picture: EncodedPicture, player: ClipPlayer): void {
    const { data, inOrder } = player.play(isKey(picture) ? 'key' : 'delta');
    picture.data = ownBuffer(data);
    if (!inOrder) this.say('out-of-order');
    if (player.asksForKeyFrame()) this.say('key-frame-wanted');
  }

  private keep(picture: EncodedPicture): void {
    const { wanted } = this;
    if (!wanted || (this.kept.length === 0 && !isKey(picture))) return;
    this.kept.push(new Uint8Array(picture.data.slice(0)));
    if (this.kept.length < wanted.frames) return;
    const recording = { ...this.size, frames: this.kept };
    this.recordings.set(wanted.name, recording);
    this.stop();
    this.have(recording);
  }

  private have(recording: Recording): void {
    this.recording = recording;
    this.isResting = true;
    this.tiny = undefined;
    const { width, height } = recording;
    this.say('recorded', { width, height });
  }
}
