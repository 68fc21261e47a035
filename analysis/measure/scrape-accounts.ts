import type { ScrapedReading } from '../../model/evidence.js';
import type { ScrapeAccount } from '../../model/scrape-account.js';

export function scrapeAccounts(readings: readonly ScrapedReading[]): readonly ScrapeAccount[] {
  const sources = [...new Set(readings.map(({ source }) => source))];
  return sources.map((source) =>
    accountOf(
      source,
      readings.filter((one) => one.source === source),
    ),
  );
}

function accountOf(source: string, own: readonly ScrapedReading[]): ScrapeAccount {
  const failures = own.flatMap(({ failure }) => failure ?? []);
  const [why] = failures;
  const [part] = own.flatMap((one) => ((one.cpuCores ?? one.memoryMb) === undefined ? [] : (one.part ?? [])));
  return {
    source,
    asked: own.length,
    failed: failures.length,
    ...(why === undefined ? {} : { why }),
    wentBack: own.filter(({ wentBack }) => wentBack === true).length,
    host: own.some(
      ({ hostBusyCores, hostMemoryMb, hostSentKbps }) => (hostBusyCores ?? hostMemoryMb ?? hostSentKbps) !== undefined,
    ),
    ...(part === undefined ? {} : { part }),
    named: [...new Set(own.flatMap(({ named = {} }) => Object.keys(named)))],
    unclear: [...new Set(own.flatMap(({ unclear = [] }) => unclear))],
  };
}
