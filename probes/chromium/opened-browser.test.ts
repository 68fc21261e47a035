import { expect, test } from '@playwright/test';
import { startError } from './opened-browser.js';

const log = ['7:7:0101/01.1', '9:9:0101/01.2'].map(
  (mark) =>
    `\u001b[2m  - [pid=7][err] [${mark}:ERROR:ozone_platform_x11.cc(245)] Missing X server or $DISPLAY\u001b[22m`,
);
const seen = new Error(['browserType.launch: Target closed', ...log].join('\n'));

test('a window without a screen is told once, and what to do is about the window; without one, about the browser', () => {
  const headed = startError('/usr/bin/chromium', seen, true);
  expect(headed.why).toBe('Missing X server or $DISPLAY');
  expect(headed.todo).toContain('leave --headed out');
  expect(startError('/usr/bin/chromium', seen).todo).not.toContain('--headed');
});
