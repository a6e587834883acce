import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RECORDED_SERVICES, servicePython, startService } from '../../test/clients/analysis-services.ts';
import { type AnalysisClient, someText } from '../analysis-requests.ts';
import { type Latency, latencyOf, measureLatency } from '../http-load.ts';

const SETTINGS = { params: { services: { selected: ['Mini'] }, ttl: 1 } };
const TEXT_SIZE = 10_000;
/** Connections that submit the files of the throughput. */
const CONNECTIONS = 8;

/**
 * Measures one worker of the real service `Mini`, with the public packages of services.
 * @param url address of the protocol for services
 * @returns undefined without Python and its packages
 */
export async function measureMini(
  client: AnalysisClient,
  url: string,
  count: number,
): Promise<{ readonly completed: Latency; readonly rate: number } | undefined> {
  const found = await servicePython();
  if ('reason' in found) return undefined;
  const folder = join(RECORDED_SERVICES, 'mini');
  const service = await startService({ python: found.python, url, folder, path: 'mini.Mini' });
  try {
    const scan = async (number: number) => client.completed(await client.submit(someText(TEXT_SIZE, number), SETTINGS));
    const completed: number[] = [];
    for (let number = 0; number < count + 3; number++) {
      const started = performance.now();
      await scan(number);
      // The first ones start what is loaded on demand.
      if (number >= 3) completed.push(performance.now() - started);
    }
    const started = performance.now();
    // One search in a while: questions about each submission would take the processor from the worker.
    const settings = { ...SETTINGS, metadata: { run: `mini${Date.now()}` } };
    await measureLatency(CONNECTIONS, 2 * count, (number) => client.submit(someText(TEXT_SIZE, number), settings));
    const query = { query: `metadata.run:${settings.metadata.run} AND state:completed`, rows: 0 };
    for (let done = 0; done < 2 * count; await sleep(100)) {
      done = ((await client.post('/api/v4/search/submission/', query)) as { total: number }).total;
    }
    return { completed: latencyOf(completed), rate: (2 * count) / ((performance.now() - started) / 1000) };
  } finally {
    await service.kill();
  }
}
