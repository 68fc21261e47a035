/**
 * A Playwright reporter: counts for the last line of `npm test`, how long each test took, and why each skipped one was.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './places.mjs';

export default class CountReporter {
  counts = { passed: 0, failed: 0, skipped: 0 };
  tests = [];
  /** Of each failure its name and the first line of what went wrong. */
  failures = [];
  /** Of each test that passed when it was tried again, the same. */
  flaky = [];

  onBegin(_config, suite) {
    this.tests = suite.allTests();
  }

  /** A file that cannot be loaded, or a worker that died: a failure that belongs to no test. */
  onError(error) {
    this.fail('no test', error);
  }

  fail(name, error) {
    this.counts.failed += 1;
    this.failures.push(`${name}: ${firstLine(error)}`);
  }

  onEnd({ duration, status }) {
    for (const test of this.tests) this.count(test);
    const tests = this.tests.map((test) => ({
      test: test.titlePath().slice(3).join(' › '),
      file: relative(root, test.location.file),
      ms: test.results.reduce((sum, one) => sum + one.duration, 0),
    }));
    // Of a run that was interrupted, the times say nothing.
    const times = status === 'interrupted' || status === 'timedout' ? {} : { times: { ms: duration, tests } };
    const text = JSON.stringify({ ...this.counts, failures: this.failures, flaky: this.flaky, ...times });
    writeFileSync(process.env.LOADLINE_TEST_COUNTS, text);
  }

  count(test) {
    const outcome = test.results.length === 0 ? 'not-run' : test.outcome();
    if (outcome === 'skipped') {
      this.counts.skipped += 1;
      const why = [...test.annotations, ...test.results.flatMap((one) => one.annotations ?? [])].find(
        (one) => one.type === 'skip' || one.type === 'fixme',
      )?.description;
      console.log(`skipped: ${nameOf(test)}: ${why ?? 'no reason given'}`);
    } else if (outcome === 'expected' || outcome === 'flaky') this.counts.passed += 1;
    else this.fail(nameOf(test), test.results.at(-1)?.error);
    if (outcome === 'flaky') this.flaky.push(`${nameOf(test)}: ${firstLine(test.results[0]?.error)}`);
  }

  printsToStdio() {
    return false;
  }
}

const nameOf = (test) => test.titlePath().filter(Boolean).join(' › ');

const firstLine = (error) => stripVTControlCharacters(error?.message ?? 'it did not run').split('\n')[0];
