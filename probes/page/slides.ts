import { screenFps, slideMs } from '../../model/screen.js';
import { nowMs } from './clock.js';
import type { PageMedia } from './wire.js';

/** A screen that shows slides, of which one follows the other on the wall clock, and a pointer that moves. */
export function openSlides({ width, height }: Pick<PageMedia, 'width' | 'height'>): MediaStreamTrack {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  // No frame by itself: each that was drawn is asked for.
  const [track] = canvas.captureStream(0).getVideoTracks();
  if (!pen || !track || !('requestFrame' in track)) throw new Error('the page cannot draw slides');
  const shown = track as CanvasCaptureMediaStreamTrack;
  // mst-content-hint: text is to stay sharp, and motion may suffer.
  shown.contentHint = 'detail';
  let frame = 0;
  const timer = setInterval(() => {
    if (shown.readyState === 'ended') return clearInterval(timer);
    drawSlide(pen, Math.floor(nowMs() / slideMs));
    drawPointer(pen, frame);
    frame += 1;
    shown.requestFrame();
  }, 1000 / screenFps);
  return shown;
}

const lines = 12;
const words = ['load', 'limit', 'room', 'of', 'a', 'window', 'probe', 'server', 'and', 'stream'] as const;

function drawSlide(pen: CanvasRenderingContext2D, nth: number): void {
  const { width, height } = pen.canvas;
  const step = height / (lines + 4);
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = 'black';
  pen.font = `${Math.round(1.4 * step)}px sans-serif`;
  pen.fillText(`Slide ${nth % 1000}`, step, 2 * step);
  pen.font = `${Math.round(0.7 * step)}px sans-serif`;
  for (let line = 0; line < lines; line += 1) {
    const text = Array.from({ length: 8 }, (_, at) => words[(nth * 7 + line * 3 + at * (line + 1)) % words.length]);
    pen.fillText(text.join(' '), step, (line + 3.5) * step);
  }
}

function drawPointer(pen: CanvasRenderingContext2D, frame: number): void {
  const { width, height } = pen.canvas;
  pen.fillStyle = 'red';
  pen.beginPath();
  const [x, y] = [width * (0.5 + 0.4 * Math.sin(frame / 9)), height * (0.5 + 0.4 * Math.cos(frame / 7))];
  pen.arc(x, y, height / 60, 0, 2 * Math.PI);
  pen.fill();
}
