import { expect, test } from '@playwright/test';
import pico from 'picocolors';
import { terminalText } from './terminal-text.js';

test('colours and the live view pass, and no other control sequence of a stored text does', () => {
  const { bold, red } = pico.createColors(true);
  const own = `\r\u001b[2K${bold('found')} ${red('4')}\t–\n`;
  expect(terminalText(own)).toBe(own);
  const others = '\u001b]0;title\u0007\u001b[2J\u001b[6n\u001b[1A\u009b5n\b\u001bc';
  expect(terminalText(others)).toBe('\ufffd]0;title\ufffd\ufffd[2J\ufffd[6n\ufffd[1A\ufffd5n\ufffd\ufffdc');
});
