/** A Playwright reporter: counts for the last line of `npm test`, and why each skipped test was skipped. */
import { writeFileSync } from 'node:fs';

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

  onEnd() {
    for (const test of this.tests) this.count(test);
    writeFileSync(process.env.LOADLINE_TEST_COUNTS, JSON.stringify(this.counts));
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
