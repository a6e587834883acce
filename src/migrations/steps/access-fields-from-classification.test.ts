import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { BulkItem } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { type Event, eventDocument } from '../../documents/kinds/event.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { ClassificationRules, MigrationContext } from '../migration.ts';
import { accessFieldsFromClassification } from './access-fields-from-classification.ts';

const EVERYTHING = unrestricted('the test looks at what it stored');
const LEVELS: Readonly<Record<string, number>> = { OPEN: 100, CLOSED: 200 };
const partsOf = (level: number) => ({
  __access_lvl__: level,
  __access_req__: [],
  __access_grp1__: ['__EMPTY__'],
  __access_grp2__: ['__EMPTY__'],
});
const classification: ClassificationRules = {
  unrestricted: 'OPEN',
  accessParts(text) {
    const level = LEVELS[text];
    if (level === undefined) throw new InvalidInput('invalid_classification', `${text} is not a classification.`);
    return partsOf(level);
  },
};
const seesUpTo = (level: number): ReadAccess => ({
  filter: { kind: 'range', field: '__access_lvl__', upper: { value: level, inclusive: true } },
  username: undefined,
  admits: () => true,
});

describe('access-fields-from-classification', () => {
  let datastore: Datastore;
  before(async () => {
    datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  });
  after(() => datastore.close());

  const hits = () => datastore.collection(hitDocument);
  const hit = (id: string, fields: object) => ({ howler: { id, analytic: 'Test' }, ...fields }) as unknown as Hit;
  const save = (id: string, fields: object) => hits().save(id, hit(id, fields), { visible: 'now' });
  const findable = (level: number) => hits().count({ query: { kind: 'all' } }, seesUpTo(level));
  async function run(options: Partial<MigrationContext> = {}) {
    const warnings: string[] = [];
    const progress: string[] = [];
    const changed = await accessFieldsFromClassification({
      datastore,
      classification,
      progress: (done, total) => {
        if (progress.at(-1) !== `${done}/${total}`) progress.push(`${done}/${total}`);
      },
      warn: (message) => warnings.push(message),
      signal: new AbortController().signal,
      ...options,
    });
    return { changed, warnings, progress };
  }

  it('lets searches find documents that were stored without the fields, by those who may see them', async () => {
    await save('open', { classification: 'OPEN' });
    await save('closed', { classification: 'CLOSED' });
    await save('unmarked', {});
    await save('half', { classification: 'CLOSED', __access_lvl__: 200 });
    const stamped = { classification: 'CLOSED', ...partsOf(150) };
    await save('stamped', stamped);
    await datastore
      .collection(eventDocument)
      .save('event', { event: { id: 'event' }, classification: 'CLOSED' } as unknown as Event, { visible: 'now' });
    assert.equal(await findable(100), 0);

    assert.deepEqual(await run(), {
      changed: 5,
      warnings: [],
      progress: ['0/4', '2/4', '3/4', '4/4', '0/1', '1/1', '0/0'],
    });
    assert.equal(await findable(100), 2);
    assert.equal(await findable(200), 5);
    assert.deepEqual(
      await hits().get('closed', EVERYTHING),
      hit('closed', { classification: 'CLOSED', ...partsOf(200) }),
    );
    assert.deepEqual(await hits().get('unmarked', EVERYTHING), hit('unmarked', partsOf(100)));
    assert.deepEqual(await hits().get('stamped', EVERYTHING), hit('stamped', stamped));
    assert.equal((await run()).changed, 0);
  });

  it('leaves what it cannot read hidden, and says so', async () => {
    await save('odd1', { classification: 'GREEN' });
    await save('odd2', { classification: 'GREEN' });
    await save('odd3', { classification: 'open' });
    const { changed, warnings } = await run();
    assert.equal(changed, 0);
    assert.deepEqual(warnings, [
      'hit: "GREEN" is not a classification of the present definition. 2 documents stay as they are.',
      'hit: "open" is not a classification of the present definition. 1 documents stay as they are.',
    ]);
    assert.deepEqual(await hits().get('odd1', EVERYTHING), hit('odd1', { classification: 'GREEN' }));
    for (const id of ['odd1', 'odd2', 'odd3']) await hits().delete(id, { visible: 'now' });
  });

  it('passes on errors that are none of the classification', async () => {
    await save('any', { classification: 'OPEN' });
    const broken = { ...classification, accessParts: () => assert.fail('broken') };
    await assert.rejects(run({ classification: broken }), /broken/);
  });

  it('stops between two batches when it is asked to end, and continues from there the next time', async () => {
    const items = Array.from({ length: 1200 }, (_, at): BulkItem<Hit> => {
      const id = `many${at}`;
      return { kind: 'save', id, document: hit(id, { classification: 'OPEN' }) };
    });
    await hits().bulk(items, { visible: 'now' });
    const before = await findable(100);
    const ending = new AbortController();
    const progress = (done: number) => {
      if (done === 500) ending.abort('SIGTERM');
    };
    await assert.rejects(run({ signal: ending.signal, progress }), (error) => error === 'SIGTERM');
    assert.equal(await findable(100), before + 500);
    const { changed, progress: heard } = await run();
    assert.equal(changed, 701);
    assert.deepEqual(heard.slice(0, 3), ['0/701', '500/701', '701/701']);
    assert.equal(await findable(100), before + 1201);
  });
});
