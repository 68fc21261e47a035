import { CameraPictures, type PictureShape } from '../../../model/camera-picture.js';

export interface ClipShape extends PictureShape {
  readonly framesPerSecond: number;
}

/** The fake camera's pictures (`CameraPictures`) as a file. */
export function cameraClip(shape: ClipShape): { readonly header: Buffer; frame(index: number): Buffer } {
  checkShape(shape);
  const pictures = new CameraPictures(shape);
  const frame = (index: number): Buffer => {
    const buffer = Buffer.alloc(frameMarker.length + (shape.width * shape.height * 3) / 2);
    frameMarker.copy(buffer);
    pictures.draw(index, buffer.subarray(frameMarker.length));
    return buffer;
  };
  return { header: y4mHeader(shape), frame };
}

/** Exact size of the clip's file, by which a truncated one is found out. */
export function clipBytes(shape: ClipShape): number {
  return y4mHeader(shape).length + shape.frames * (frameMarker.length + (shape.width * shape.height * 3) / 2);
}

/** Where in the file the luma of a picture begins. */
export function lumaPlace(shape: ClipShape, index: number): number {
  return clipBytes({ ...shape, frames: index }) + frameMarker.length;
}

const frameMarker = Buffer.from('FRAME\n');

/** YUV4MPEG2 as Chromium's file camera reads it: 4:2:0, progressive, square pixels. */
function y4mHeader({ width, height, framesPerSecond }: ClipShape): Buffer {
  return Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420\n`);
}

function checkShape({ width, height, frames }: ClipShape): void {
  if (width % 2 !== 0 || height % 2 !== 0 || frames < 2) {
    throw new RangeError(
      `a 4:2:0 clip needs even sides and two frames or more, not ${width}x${height}, ${frames} frames`,
    );
  }
}
