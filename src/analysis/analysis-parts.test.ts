import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { unrestricted } from '../datastore/port/read-access.ts';
import { openParts } from '../testing/analysis/parts-fixture.ts';
import { until } from '../testing/until.ts';

const ACCESS = unrestricted('a test looks at what is stored');

describe('the parts of the analysis service', () => {
  it('analyse a zip file with the built-in analyzers, and its files after it', async (context) => {
    const { parts, submit, completed, results, files } = await openParts(context);
    await analyzersAre(parts);
    const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
    for (const [name, content] of [
      ['invoice.js', 'alert(1)'],
      ['note.txt', 'hello'],
    ] as const) {
      await zip.add(name, new Uint8ArrayReader(Buffer.from(content)), { password: 'infected', zipCrypto: true });
    }
    const done = await completed(await submit('mail.zip', await zip.close()));
    assert.deepEqual([done.errors, done.file_count, done.max_score], [[], 3, 500]);
    const found = await results.getMany(done.results, ACCESS);
    const services = found.map((one) => one?.response.service_name ?? 'empty').sort();
    assert.deepEqual(services, ['Characterize', 'Characterize', 'Extract']);
    const extract = found.find((one) => one?.response.service_name === 'Extract');
    assert.deepEqual(
      extract?.result.sections.map(({ heuristic }) => heuristic?.heur_id),
      ['EXTRACT.10', 'EXTRACT.16'],
    );
    const [child] = extract?.response.extracted ?? [];
    assert.equal((await files.get(child?.sha256 ?? '', ACCESS))?.size, 8);
  });

  it('reuse stored results', async (context) => {
    const { parts, submit, completed } = await openParts(context);
    await analyzersAre(parts);
    const first = await completed(await submit('a.txt', Buffer.from('the same')));
    const second = await completed(await submit('b.txt', Buffer.from('the same')));
    assert.deepEqual(second.results, first.results);
    assert.equal(parts.analyzers.totals.cached.get('Characterize'), 1);
  });
});

function analyzersAre({ services }: Awaited<ReturnType<typeof openParts>>['parts']): Promise<void> {
  return until('the analyzers are registered', async () => (await services.registry.all()).length === 2);
}
