import { expect, test } from '@playwright/test';
import pico from 'picocolors';
import { terminalText } from './process.js';

test('colours and the live view pass, and no other control sequence of a stored text does', () => {
  const { bold, red } = pico.createColors(true);
  const own = `\r\u001b[2K${bold('found')} ${red('4')}\t–\n`;
  expect(terminalText(own, { isTty: true })).toBe(own);
  const others = '\u001b]0;title\u0007\u001b[2J\u001b[6n\u001b[1A\u009b5n\b\u001bc';
  expect(terminalText(others, { isTty: true })).toBe(
    '\ufffd]0;title\ufffd\ufffd[2J\ufffd[6n\ufffd[1A\ufffd5n\ufffd\ufffdc',
  );
});

test('a pipe gets no return of a line and no control sequence but colours, and the line ends of a table', () => {
  const text = 'a;b\r\n\u001b[31mred\u001b[39m \rover\u001b[2K\u009b5n\u202e\n';
  expect(terminalText(text, { isTty: false })).toBe(
    'a;b\r\n\u001b[31mred\u001b[39m \ufffdover\ufffd[2K\ufffd5n\ufffd\n',
  );
});
