import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { AnalyticUpsert } from './analytic-upsert.ts';

const EVERYTHING = unrestricted('the test looks at what is stored');

let datastore: Datastore;
let analytics: Collection<Analytic>;
let searches = 0;
let saves = 0;
let time = 0;

before(async () => {
  datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  analytics = datastore.collection(analyticDocument);
});
after(async () => {
  await datastore.close();
});
beforeEach(async () => {
  await analytics.deleteWhere({ query: { kind: 'all' } }, { access: EVERYTHING, visible: 'now' });
  searches = 0;
});

const newUpsert = () =>
  new AnalyticUpsert({
    analytics: Object.assign(Object.create(analytics) as Collection<Analytic>, {
      search: (...request: Parameters<typeof analytics.search>) => {
        searches += 1;
        return analytics.search(...request);
      },
      getVersioned: analytics.getVersioned.bind(analytics),
      bulk: analytics.bulk.bind(analytics),
      save: async (...change: Parameters<typeof analytics.save>) => {
        const version = await analytics.save(...change);
        saves += 1;
        return version;
      },
      delete: analytics.delete.bind(analytics),
    }),
    clock: () => time,
    log: { warn() {} },
  });
const alert = (analytic: string, detection?: string) =>
  ({ howler: { analytic, detection } }) as unknown as Parameters<AnalyticUpsert['record']>[1][number];
const stored = async () => {
  const { items } = await analytics.search({ query: { kind: 'all' } }, EVERYTHING);
  return items.map(({ document: { name, owner, contributors, detections } }) => ({
    name,
    owner,
    contributors,
    detections,
  }));
};

describe('analytics of alerts that arrive', () => {
  it('are made with the sender as their owner', async () => {
    await newUpsert().record('ana', [alert('Probe', 'Two'), alert('Probe', 'One'), alert('Probe')], 'now');
    assert.deepEqual(await stored(), [
      { name: 'Probe', owner: 'ana', contributors: ['ana'], detections: ['One', 'Two'] },
    ]);
  });

  it('are one for a name, regardless of its case', async () => {
    const upsert = newUpsert();
    await upsert.record('ana', [alert('Probe', 'One')], 'now');
    await upsert.record('bo', [alert('PROBE', 'two'), alert('probe', 'ONE')], 'now');
    assert.deepEqual(await stored(), [
      { name: 'Probe', owner: 'ana', contributors: ['ana', 'bo'], detections: ['ONE', 'two'] },
    ]);
  });

  it('name a detection as often as the alerts that arrived together last, as clients know it', async () => {
    const upsert = newUpsert();
    const names = async () => (await stored())[0]?.detections;
    await upsert.record('ana', [alert('Probe', 'One'), alert('Probe', 'Two'), alert('Probe', 'One')], 'now');
    assert.deepEqual(await names(), ['One', 'One', 'Two']);
    saves = 0;
    for (let batch = 0; batch < 20; batch++)
      await upsert.record('ana', [alert('Probe', 'Two'), alert('Probe', 'Two')], 'now');
    await upsert.record('ana', [alert('Probe', 'one'), alert('Probe')], 'now');
    assert.equal(saves, 0, 'counting detections anew must not make an alert wait');
    await waitUntil(async () => saves > 0);
    assert.deepEqual(await names(), ['Two', 'one']);
    assert.equal(saves, 1);
  });

  it('cost one search when they are new, and nothing when they are up to date', async () => {
    const upsert = newUpsert();
    const batch = Array.from({ length: 100 }, (_, index) => alert(`Probe ${index % 3}`, `D${index % 5}`));
    await upsert.record('ana', batch, 'soon');
    assert.equal(searches, 1);
    await upsert.record('ana', batch, 'soon');
    assert.equal(searches, 1);
  });

  it('are made and changed in batches', async () => {
    const alerts = Array.from({ length: 1200 }, (_, index) => alert(`Probe ${index}`, 'One'));
    await newUpsert().record('ana', alerts, 'now');
    assert.equal(searches, 3);
    await newUpsert().record('bo', alerts, 'now');
    assert.equal(searches, 6);
    const { total } = await analytics.search({ query: { kind: 'all' } }, EVERYTHING);
    assert.equal(total, 1200);
    for (const { contributors } of await stored()) assert.deepEqual(contributors, ['ana', 'bo']);
  });

  it('are looked at again after a while, since others may have deleted them', async () => {
    const upsert = newUpsert();
    await upsert.record('ana', [alert('Probe')], 'now');
    await analytics.deleteWhere({ query: { kind: 'all' } }, { access: EVERYTHING, visible: 'now' });
    time += 20_000;
    await upsert.record('ana', [alert('Probe')], 'now');
    assert.equal((await stored()).length, 1);
  });

  it('are made once by several processes at a time, and lose nothing', async () => {
    const processes = Array.from({ length: 6 }, newUpsert);
    await Promise.all(
      processes.map((upsert, index) => upsert.record(`user${index}`, [alert('Probe', `D${index}`)], 'soon')),
    );
    const [analytic, ...others] = await stored();
    assert.deepEqual(others, []);
    assert.deepEqual([analytic?.contributors.length, analytic?.detections.length], [6, 6]);
  });

  it('get an owner when they have none, and swallow duplicates', async () => {
    for (const [name, detection] of [
      ['Probe', 'One'],
      ['probe', 'Two'],
    ]) {
      const { document } = readDocument(analyticDocument, { name, detections: [detection] }, { unknown: 'refuse' });
      await analytics.save(document.analytic_id, document, { visible: 'now' });
    }
    await newUpsert().record('ana', [alert('Probe')], 'now');
    const [analytic, ...others] = await stored();
    assert.deepEqual(others, []);
    assert.deepEqual([analytic?.owner, analytic?.detections], ['ana', ['One', 'Two']]);
  });

  it('that cannot be written are a warning, not an error', async () => {
    const broken = new AnalyticUpsert({
      analytics: { ...analytics, search: () => Promise.reject(new Error('down')) } as unknown as Collection<Analytic>,
      clock: () => time,
      log: { warn() {} },
    });
    assert.deepEqual(await broken.record('ana', [alert('Other')], 'now'), [
      'The analytic Other could not be brought up to date.',
    ]);
  });
});

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'what was waited for did not happen within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
