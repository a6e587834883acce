import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../testing/alerts/alert-services.ts';
import { readOperations } from './changes/update-requests.ts';

const EVERYTHING = unrestricted('the test looks at what is stored');
const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());
beforeEach(async () => {
  await services.hitCollection.deleteWhere({ query: { kind: 'all' } }, { access: EVERYTHING, visible: 'now' });
});

const read = (actor: typeof ana, ...inputs: unknown[]) => services.service.read(actor, inputs);
const count = () => services.hitCollection.count({ query: { kind: 'all' } }, EVERYTHING);

describe('creating alerts', () => {
  it('stores them with a log entry and the hidden access fields', async () => {
    const hit = await services.aHit(ana, { classification: 'r' });
    const stored = (await services.hitCollection.get(hit.howler.id, EVERYTHING)) as Record<string, unknown> | undefined;
    assert.equal(stored?.classification, 'RESTRICTED');
    assert.equal(stored?.__access_lvl__, 200);
    assert.deepEqual(
      hit.howler.log.map(({ user, explanation }) => [user, explanation]),
      [['ana', 'Created hit']],
    );
  });

  it('refuses what the sender may not see, with the rest of the batch', async () => {
    const { valid, invalid } = await read(
      low,
      { 'howler.analytic': 'Probe' },
      { 'howler.analytic': 'Probe', classification: 'RESTRICTED' },
    );
    assert.equal(valid.length, 1);
    assert.deepEqual(
      invalid.map(({ error }) => error),
      ['User low cannot create hits at classification RESTRICTED'],
    );
  });

  it('stores all of them or none', async () => {
    const { valid } = await read(ana, { 'howler.analytic': 'Probe' }, { 'howler.analytic': 'Probe' });
    const [first, second] = valid.map(({ record }) => record);
    assert.ok(first && second);
    second.howler.id = first.howler.id;
    await assert.rejects(services.service.create(ana, [first, second], 'now'), { kind: 'conflict' });
    assert.equal(await count(), 0);
  });

  it('takes an empty batch', async () => {
    assert.deepEqual(await services.service.create(ana, [], 'now'), { hits: [], warnings: [] });
  });

  it('counts them', async () => {
    const counted = async () => Number(/created_hits_total (\d+)/.exec(await services.metrics.text())?.[1]);
    const before = await counted();
    await services.aHit(ana, { 'howler.analytic': 'Counted' });
    assert.equal(await counted(), before + 1);
  });
});

describe('reading an alert', () => {
  it('finds what the actor may see, and nothing else', async () => {
    const { howler } = await services.aHit(ana, { classification: 'RESTRICTED' });
    assert.equal((await services.store.get(ana, howler.id)).document.howler.id, howler.id);
    await assert.rejects(services.store.get(low, howler.id), {
      code: 'hit_missing',
      message: `Hit ${howler.id} does not exist`,
    });
    await assert.rejects(services.store.get(ana, 'nothing'), { code: 'hit_missing' });
  });

  it('shows administrators everything', async () => {
    const { howler } = await services.aHit(ana, { classification: 'RESTRICTED' });
    const admin = { ...root, classification: 'UNRESTRICTED' };
    assert.equal((await services.store.get(admin, howler.id)).document.howler.id, howler.id);
  });

  it('hides how access is decided', async () => {
    const { howler } = await services.aHit(ana);
    const { document } = await services.store.get(ana, howler.id);
    assert.deepEqual(
      Object.keys(document).filter((key) => key.startsWith('__access')),
      [],
    );
  });
});

describe('overwriting an alert', () => {
  const options = { replaceLists: false, visible: 'now' } as const;

  it('merges fields and appends to lists, or replaces them', async () => {
    const { howler } = await services.aHit(ana, { tags: ['a'], message: 'before' });
    const merged = await services.service.overwrite(ana, howler.id, () => ({ message: 'after', tags: ['b'] }), options);
    assert.deepEqual([merged.document.message, merged.document.tags], ['after', ['a', 'b']]);
    const replaced = await services.service.overwrite(ana, howler.id, () => ({ tags: ['c'] }), {
      ...options,
      replaceLists: true,
    });
    assert.deepEqual(replaced.document.tags, ['c']);
  });

  it('never changes which alert it is', async () => {
    const { howler } = await services.aHit(ana);
    const { document } = await services.service.overwrite(ana, howler.id, () => ({ 'howler.id': 'other' }), options);
    assert.equal(document.howler.id, howler.id);
    assert.equal(await count(), 1);
  });

  it('moves who may see it together with the hidden fields, and not above the actor', async () => {
    const { howler } = await services.aHit(ana);
    await assert.rejects(
      services.service.overwrite(low, howler.id, () => ({ classification: 'RESTRICTED' }), options),
      {
        message: 'Cannot set classification to RESTRICTED',
      },
    );
    await services.service.overwrite(ana, howler.id, () => ({ classification: 'RESTRICTED' }), options);
    await assert.rejects(services.store.get(low, howler.id), { code: 'hit_missing' });
    assert.equal(await services.hitCollection.count({ query: { kind: 'all' } }, low.searchAccess), 0);
  });

  it('refuses values that do not fit', async () => {
    const { howler } = await services.aHit(ana);
    await assert.rejects(
      services.service.overwrite(ana, howler.id, () => ({ 'howler.score': 'bad' }), options),
      {
        message: "[hit.howler.score]: could not convert string to float: 'bad'",
      },
    );
  });
});

describe('updating an alert', () => {
  const update = (id: string, ...operations: unknown[]) =>
    services.service.update(ana, id, readOperations(operations), 'now');

  it('applies operations in order and logs them with the version before', async () => {
    const { howler } = await services.aHit(ana, { 'howler.score': 5, tags: ['a'] });
    const before = await services.store.get(ana, howler.id);
    const { document } = await update(
      howler.id,
      ['INC', 'howler.score', 2],
      ['APPEND', 'tags', 'b'],
      ['REMOVE', 'tags', 'a'],
    );
    assert.deepEqual([document.howler.score, document.tags], [7, ['b']]);
    const entry = document.howler.log.at(-1);
    assert.equal(entry?.previous_version, before.version);
    assert.equal(
      entry?.explanation,
      'Hit updated by ana\n\n- `INC` - `howler.score` - `2`\n- `APPEND` - `tags` - `"b"`\n- `REMOVE` - `tags` - `"a"`',
    );
  });

  it('leaves the status to transitions', async () => {
    const { howler } = await services.aHit(ana);
    await assert.rejects(update(howler.id, ['SET', 'howler.status', 'resolved']), { code: 'status_not_updatable' });
  });

  it('reads a cleared field with a default as the default, in searches too', async () => {
    const { howler } = await services.aHit(ana, { 'howler.escalation': 'alert' });
    const { document } = await update(howler.id, ['SET', 'howler.escalation', null]);
    assert.equal(document.howler.escalation, 'hit');
    const query = compileQuery('howler.escalation:hit', hitDocument);
    assert.equal(await services.hitCollection.count({ query }, ana.searchAccess), 1);
  });

  it('loses none of many changes at once', async () => {
    const { howler } = await services.aHit(ana, { 'howler.score': 0 });
    await Promise.all(Array.from({ length: 8 }, () => update(howler.id, ['INC', 'howler.score', 1])));
    const { document } = await services.store.get(ana, howler.id);
    assert.equal(document.howler.score, 8);
    assert.equal(document.howler.log.length, 9);
  });
});

describe('updating what a query finds', () => {
  const updateWhere = (actor: typeof ana, query: string, ...operations: unknown[]) =>
    services.service.updateWhere(actor, query, readOperations(operations), { visible: 'now' });

  it('changes every match that the actor may find, and logs it', async () => {
    const open = await services.aHit(ana);
    const hidden = await services.aHit(ana, { classification: 'RESTRICTED' });
    assert.equal(await updateWhere(low, '*:*', ['SET', 'howler.status', 'on-hold']), 1);
    const [changed, kept] = await Promise.all([open, hidden].map((hit) => services.store.get(ana, hit.howler.id)));
    assert.deepEqual([changed?.document.howler.status, kept?.document.howler.status], ['on-hold', 'open']);
    const entry = changed?.document.howler.log.at(-1);
    assert.deepEqual([entry?.user, entry?.key], ['low', undefined]);
  });

  it('keeps quiet in the logs when asked', async () => {
    const { howler } = await services.aHit(ana);
    const operations = readOperations([['SET', 'message', 'x']]);
    await services.service.updateWhere(ana, '*:*', operations, { visible: 'now', logged: false });
    const { document } = await services.store.get(ana, howler.id);
    assert.deepEqual([document.message, document.howler.log.length], ['x', howler.log.length]);
  });

  it('says where a query is broken', async () => {
    await assert.rejects(updateWhere(ana, 'howler.id:(', ['SET', 'message', 'x']), { code: 'invalid_query' });
  });

  it('is not fooled by a query about the hidden fields', async () => {
    await services.aHit(ana, { classification: 'RESTRICTED' });
    assert.equal(await updateWhere(low, '__access_lvl__:[0 TO 999] OR *:*', ['INC', 'howler.score', 1]), 0);
  });
});

describe('deleting alerts', () => {
  it('is for administrators', async () => {
    const { howler } = await services.aHit(ana);
    await assert.rejects(services.service.delete(ana, [howler.id], 'now'), { code: 'not_administrator' });
  });

  it('deletes all or none, and names those that do not exist', async () => {
    const { howler } = await services.aHit(ana);
    await assert.rejects(services.service.delete(root, [howler.id, 'gone'], 'now'), {
      message: 'Hit id(s) gone do not exist.',
    });
    assert.equal(await count(), 1);
    await services.service.delete(root, [howler.id, howler.id], 'now');
    assert.equal(await count(), 0);
    await services.service.delete(root, [], 'now');
  });

  it('takes them out of what others relate to', async () => {
    const gone = await services.aHit(ana);
    const other = await services.aHit(ana, {
      'howler.related': [gone.howler.id, 'kept'],
      classification: 'RESTRICTED',
    });
    await services.service.delete(root, [gone.howler.id], 'now');
    const { document } = await services.store.get(ana, other.howler.id);
    assert.deepEqual(document.howler.related, ['kept']);
  });
});

describe('the list of assigned alerts', () => {
  it('holds what the actor may find, in the order asked for', async () => {
    for (const score of [1, 3, 2]) await services.aHit(ana, { 'howler.assignment': 'low', 'howler.score': score });
    await services.aHit(ana, { 'howler.assignment': 'low', classification: 'RESTRICTED' });
    await services.aHit(ana, { 'howler.assignment': 'lower' });
    const items = await services.service.assigned(low, {
      offset: 0,
      rows: 2,
      sort: [{ field: 'howler.score', order: 'desc' }],
    });
    assert.deepEqual(
      items.map((item) => item.document.howler.score),
      [3, 2],
    );
  });
});
