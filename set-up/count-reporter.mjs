/** A Playwright reporter: counts for the last line of `npm test`, how long each test took, and why each skipped one was. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './places.mjs';

export default class CountReporter {
  counts = { passed: 0, failed: 0, skipped: 0 };
  tests = [];

  onBegin(_config, suite) {
    this.tests = suite.allTests();
  }

  /** A file that cannot be loaded, or a worker that died: a failure that belongs to no test. */
  onError() {
    this.counts.failed += 1;
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
    const text = JSON.stringify({ ...this.counts, ...times });
    writeFileSync(process.env.LOADLINE_TEST_COUNTS, text);
  }

  count(test) {
    const outcome = test.results.length === 0 ? 'not-run' : test.outcome();
    if (outcome === 'skipped') {
      this.counts.skipped += 1;
      const why = [...test.annotations, ...test.results.flatMap((one) => one.annotations ?? [])].find(
        (one) => one.type === 'skip' || one.type === 'fixme',
      )?.description;
      console.log(`skipped: ${test.titlePath().filter(Boolean).join(' › ')}: ${why ?? 'no reason given'}`);
    } else if (outcome === 'expected' || outcome === 'flaky') this.counts.passed += 1;
    else this.counts.failed += 1;
  }

  printsToStdio() {
    return false;
  }
}
