/** Messages between a visited page and the worker through which its encoded pictures go. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Which pictures a transform is for. */
export type PicturesOrder =
  | { readonly direction: 'receive' }
  /** All that it sends is late by this: real senders have phases of their own. */
  | { readonly direction: 'send'; readonly sender: string; readonly lateMs: number };

export type ToPictures =
  /** The worker keeps this number of sent frames, from the next key frame on, unless it has some by this name. */
  | { readonly tell: 'record'; readonly sender: string; readonly frames: number; readonly name: string }
  /** It keeps no more of them. */
  | { readonly tell: 'stop'; readonly sender: string }
  /** It says how late it was. */
  | { readonly tell: 'report' };

export type FromPictures =
  | SaidOfSender
  /** How late its own timer was at worst since the report before. */
  | { readonly said: 'report'; readonly lateMs: number };

export type SaidOfSender =
  | { readonly said: 'recorded'; readonly sender: string; readonly size: Size }
  | { readonly said: 'key-frame-wanted'; readonly sender: string }
  /** Nothing was left to send in order: a frame went out twice. */
  | { readonly said: 'out-of-order'; readonly sender: string };

/** An encoded picture as the browser hands it over (W3C webrtc-encoded-transform), as far as it is used here. */
export interface EncodedPicture {
  readonly type?: string;
  data: ArrayBuffer;
  getMetadata(): { readonly width?: number; readonly height?: number; readonly mimeType?: string };
}
