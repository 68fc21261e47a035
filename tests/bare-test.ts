/**
 * What a test imports as '@playwright/test' (`paths` of tsconfig.json): Playwright Test without its fixtures `page`,
 * `browser` and others. They are set up and torn down around each test, also around one that names none of them, and
 * take 10 ms of CPU each time: half a minute for 3000 tests. Tests here name none.
 */
import { failPureTestsThatStartSomething } from './pure-alone.js';

export * from 'playwright/test';
export { _baseTest as test } from 'playwright/test';

failPureTestsThatStartSomething();
