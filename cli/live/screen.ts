import pico from 'picocolors';
import { plainStyle, type TextStyle } from '../../analysis/report/layout.js';
import type { RunListener } from '../../model/run-event.js';
import type { Question } from '../options/run-request.js';
import type { Env, Output } from '../process.js';
import { nothingYet } from './state.js';
import { draw } from './view.js';

interface Screen {
  readonly listener: RunListener;
  /** Writes a line above the status line. */
  say(text: string): void;
  /** Takes the status line away. Idempotent. */
  close(): void;
}

const eraseLine = '\r\u001b[2K';

/** The live view on an output: redrawn on a terminal, plain lines elsewhere and under NO_COLOR or TERM=dumb. */
export function openScreen(output: Output, env: Env, question: Question): Screen {
  const redraws = redrawsOn(output, env);
  const colours = coloursOf(redraws);
  let state = nothingYet;
  let status = '';
  const show = (lines: readonly string[], nextStatus: string) => {
    const erase = status === '' ? '' : eraseLine;
    const text = `${erase}${lines.map((line) => `${line}\n`).join('')}${nextStatus}`;
    status = nextStatus;
    if (text !== '') output.write(text);
  };
  return {
    listener(event) {
      const drawn = draw(state, event, { question, redraws, columns: output.columns, colours });
      state = drawn.state;
      show(drawn.lines, drawn.status);
    },
    say: (text) => show([text], status),
    close: () => show([], ''),
  };
}

/** For whoever asked for no progress: only what is said aloud is shown. */
export function quietScreen(output: Output): Screen {
  return { listener: () => undefined, say: (text) => output.write(`${text}\n`), close: () => undefined };
}

export function redrawsOn(output: Output, env: Env): boolean {
  return output.isTty && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** One set for all views. */
export function coloursOf(wanted: boolean): TextStyle {
  if (!wanted) return plainStyle;
  const { dim, bold, green, red, yellow } = pico.createColors(true);
  return { dim, bold, good: green, bad: red, warn: yellow };
}
