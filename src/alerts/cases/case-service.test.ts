import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anActor, anAdministrator } from '../../testing/alerts/alert-services.ts';
import { type CaseServices, EVERYTHING, openCaseServices } from '../../testing/alerts/case-services.ts';
import { CASES_CHANNEL } from './case-store.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();

let services: CaseServices;
before(async () => {
  services = await openCaseServices();
});
after(() => services.close());

const stored = async (id: string) => {
  const found = await services.caseCollection.get(id, EVERYTHING);
  assert.ok(found);
  return found;
};
const create = (fields: Record<string, unknown>, actor = ana) =>
  services.investigations.cases.create(actor, { title: 'T', summary: 'S', ...fields }, 'now');
const update = async (id: string, change: Record<string, unknown>, actor = ana) =>
  (await services.investigations.cases.update(actor, id, change, 'now')).document;
const count = async () => services.caseCollection.count({ query: { kind: 'all' } }, EVERYTHING);

describe('making a case', () => {
  it('takes its identifier and its log from the program, regardless of what was sent', async () => {
    const made = await create({
      case_id: 'mine',
      log: [{ timestamp: 'NOW', user: 'x', explanation: 'forged' }],
      nope: 1,
    });
    assert.notEqual(made.case_id, 'mine');
    assert.deepEqual(
      made.log?.map(({ user, explanation }) => [user, explanation]),
      [['ana', 'Case created']],
    );
    assert.ok(!('nope' in made));
    assert.deepEqual((await stored(made.case_id)).title, 'T');
  });

  it('writes the hidden fields by which searches decide who may see it', async () => {
    const { case_id: id } = await create({ classification: 'RESTRICTED' });
    assert.equal(await services.caseCollection.get(id, low.searchAccess), undefined);
    assert.ok(await services.caseCollection.get(id, ana.searchAccess));
  });

  it('stores items that lie in each other, and tells their records', async () => {
    const hit = await services.aHit(ana, { 'howler.outline.threat': '203.0.113.7' });
    const event = await services.anEvent(ana, { 'howler.outline': { target: 'srv' }, 'related.ip': ['192.0.2.1'] });
    const made = await create({
      items: [
        { id: 'f', type: 'folder', name: 'evidence', value: '' },
        { type: 'hit', value: hit.howler.id, name: 'hit', parent: 'f' },
        { type: 'event', value: event, name: 'event', parent: 'f' },
        { type: 'markdown', value: '# x', name: null },
      ],
    });
    assert.deepEqual(
      made.items?.map(({ type, name, parent }) => [type, name, parent]),
      [
        ['folder', 'evidence', undefined],
        ['hit', 'hit', 'f'],
        ['event', 'event', 'f'],
        ['markdown', '# x', undefined],
      ],
    );
    assert.deepEqual([made.threats, made.targets, made.indicators], [['203.0.113.7'], ['srv'], ['192.0.2.1']]);
    const { document } = await services.store.get(ana, hit.howler.id);
    assert.deepEqual(document.howler.related, [made.case_id]);
    assert.deepEqual((await services.eventCollection.get(event, EVERYTHING))?.howler.related, [made.case_id]);
  });

  it('keeps what was given by hand when no record says otherwise', async () => {
    assert.deepEqual((await create({ targets: ['by hand'] })).targets, ['by hand']);
  });

  it('stores nothing when an item is wrong', async () => {
    const hit = await services.aHit(ana);
    const before = await count();
    const good = { type: 'hit', value: hit.howler.id, name: 'good' };
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ type: 'hit', value: 'none', name: 'n' }, 'case_item_target_missing'],
      [{ type: 'odd', value: 'v', name: 'n' }, 'invalid_document'],
      [{ type: 'markdown', value: 'v', name: 'good' }, 'case_item_name_taken'],
      [{ type: 'markdown', value: 'v', name: 'n', parent: 'none' }, 'case_parent_missing'],
      ['text', 'invalid_document'],
      [null, 'invalid_document'],
    ];
    for (const [item, code] of wrong) await assert.rejects(create({ items: [good, item] }), { code }, String(code));
    await assert.rejects(create({ items: 'x' }), { code: 'invalid_body' });
    assert.equal(await count(), before);
    assert.deepEqual((await services.store.get(ana, hit.howler.id)).document.howler.related, []);
  });

  it('is refused above the classification of its maker, and lower than what it holds', async () => {
    await assert.rejects(create({ classification: 'RESTRICTED' }, low), {
      kind: 'forbidden',
      code: 'classification_too_high',
    });
    const hit = await services.aHit(ana, { classification: 'RESTRICTED' });
    const items = [{ type: 'hit', value: hit.howler.id, name: 'n' }];
    await assert.rejects(create({ items }), { kind: 'forbidden', code: 'item_above_case' });
    await assert.rejects(create({ items }, low), { code: 'case_item_target_missing' });
    assert.equal((await create({ items, classification: 'RESTRICTED' })).items?.[0]?.classification, 'RESTRICTED');
  });
});

describe('a case', () => {
  it('does not exist for those who may not see it', async () => {
    const { case_id: id } = await create({ classification: 'RESTRICTED' });
    const { cases, items, rules } = services.investigations;
    const force = { force: true, visible: 'now' } as const;
    await assert.rejects(cases.get(low, id), { code: 'case_missing' });
    await assert.rejects(update(id, { title: 'x' }, low), { code: 'case_missing' });
    await assert.rejects(items.append(low, id, { type: 'markdown', value: 'v', name: 'n' }, 'now'), {
      code: 'case_missing',
    });
    await assert.rejects(items.remove(low, id, ['x'], force), { code: 'case_missing' });
    await assert.rejects(items.move(low, id, 'x', { name: 'n' }, 'now'), { code: 'case_missing' });
    await assert.rejects(rules.add(low, id, { query: 'a', destination: 'b' }, 'now'), { code: 'case_missing' });
    await assert.rejects(rules.countBackfill(low, id, 'x', '2025-01-01'), { code: 'case_missing' });
    assert.equal(await cases.hide(low, [id], 'now'), 0);
    assert.equal(await cases.delete(low, [id], 'now'), 0);
    assert.equal((await stored(id)).visible, true);
    assert.equal((await cases.get(root, id)).document.case_id, id);
  });

  it('tells others of its changes, with all of its items, and says nothing when it is hidden or deleted', async () => {
    const heard: unknown[] = [];
    const stop = await services.coordination.events.subscribe(CASES_CHANNEL, (_channel, payload) =>
      heard.push(payload),
    );
    const { case_id: id } = await create({});
    await update(id, { title: 'new' });
    await services.investigations.items.append(ana, id, { type: 'markdown', value: 'v', name: 'n' }, 'now');
    await services.investigations.rules.add(ana, id, { query: 'a', destination: 'b' }, 'now');
    await services.investigations.cases.hide(ana, [id], 'now');
    await services.investigations.cases.delete(root, [id], 'now');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await stop();
    const told = heard as { case: { case_id: string; title: string; items: unknown[]; rules: unknown[] } }[];
    assert.deepEqual(
      told.map(({ case: one }) => [one.case_id, one.title, one.items.length, one.rules.length]),
      [
        [id, 'T', 0, 0],
        [id, 'new', 0, 0],
        [id, 'new', 1, 0],
        [id, 'new', 1, 1],
      ],
    );
  });
});

describe('changing a case', () => {
  it('logs each member with its value before and after', async () => {
    const id = await services.aCase(ana, { participants: ['b', 'a'] });
    const changed = await update(id, {
      overview: 'o',
      visible: false,
      participants: ['a', 'c'],
      targets: null,
      tasks: [],
    });
    assert.ok(changed.updated);
    assert.deepEqual(
      changed.log
        ?.slice(1)
        .map(({ key, explanation, previous_value: from, new_value: to }) => [key, explanation, from, to]),
      [
        ['overview', "Updated overview from 'None' to 'o'", undefined, 'o'],
        ['visible', "Updated visible from 'True' to 'False'", 'True', 'False'],
        ['participants', 'Updated participants: added [c]; removed [b]', 'b, a', 'a, c'],
        ['targets', 'Updated targets (no changes)', undefined, undefined],
        ['tasks', 'Updated tasks', undefined, undefined],
      ],
    );
    assert.deepEqual(
      changed.log?.map(({ user }) => user),
      Array(6).fill('ana'),
    );
  });

  it('takes members away that are null', async () => {
    const id = await services.aCase(ana, { overview: 'o', start: '2025-01-01' });
    const changed = await update(id, { overview: null, start: null });
    assert.ok(!('overview' in changed) && !('start' in changed));
    assert.ok(!('overview' in (await stored(id))));
    await assert.rejects(update(id, { title: null }), { code: 'invalid_document' });
  });

  it('refuses what others write, what there is not, and bad values, and changes nothing then', async () => {
    const id = await services.aCase(ana);
    const before = await stored(id);
    const refused: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ title: 'x', items: [] }, 'case_items_elsewhere'],
      [{ title: 'x', case_id: 'y', created: 'NOW' }, 'case_member_fixed'],
      [{ title: 'x', log: [] }, 'case_member_fixed'],
      [{ title: 'x', nope: 1 }, 'unknown_field'],
      [{ title: 'x', 'tasks.summary': 'y' }, 'unknown_field'],
      [{ title: 'x', constructor: 1 }, 'unknown_field'],
      [{ title: 'x', status: 'odd' }, 'invalid_document'],
      [{ title: 'x', tasks: [{ assignment: 'y' }] }, 'invalid_document'],
      [{ title: 'x', participants: 'y' }, 'invalid_document'],
      [{ title: 'x', start: 'soon' }, 'invalid_document'],
      [{ title: 'x', rules: [{ query: 'q', destination: 'd', author: 'a', timeframe: 0 }] }, 'invalid_document'],
    ];
    for (const [change, code] of refused) await assert.rejects(update(id, change), { code }, JSON.stringify(change));
    assert.deepEqual(await stored(id), before);
  });

  it('keeps the classification between that of the caller and that of the items', async () => {
    const hit = await services.aHit(ana, { classification: 'RESTRICTED' });
    const items = [{ type: 'hit', value: hit.howler.id, name: 'n' }];
    const full = await services.aCase(ana, { classification: 'RESTRICTED', items });
    await assert.rejects(update(full, { classification: 'UNRESTRICTED' }), {
      kind: 'forbidden',
      code: 'item_above_case',
    });
    const id = await services.aCase(low);
    await assert.rejects(update(id, { classification: 'RESTRICTED' }, low), {
      kind: 'forbidden',
      code: 'classification_too_high',
    });
    assert.equal((await update(id, { classification: 'RESTRICTED' })).classification, 'RESTRICTED');
    await assert.rejects(services.investigations.cases.get(low, id), { code: 'case_missing' });
    assert.equal(await services.caseCollection.get(id, low.searchAccess), undefined);
  });

  it('loses no change when many change it at once', async () => {
    const id = await services.aCase(ana);
    const names = Array.from({ length: 30 }, (_, index) => `note ${index}`);
    await Promise.all([
      ...names.map((name) =>
        services.investigations.items.append(ana, id, { type: 'markdown', value: 'v', name }, 'soon'),
      ),
      update(id, { title: 'meanwhile' }),
    ]);
    const { items, title } = await stored(id);
    assert.deepEqual(items?.map(({ name }) => name).sort(), names.sort());
    assert.equal(title, 'meanwhile');
  });
});

describe('cases in cases', () => {
  const pair = async () => {
    const inner = await services.aCase(ana);
    const outer = await services.aCase(ana, { items: [{ type: 'case', value: inner, name: 'inner' }] });
    return { inner, outer };
  };

  it('are hidden with what refers to them', async () => {
    const { inner, outer } = await pair();
    assert.equal(await services.investigations.cases.hide(low, [inner, inner, 'none'], 'now'), 1);
    assert.equal((await stored(inner)).visible, false);
    assert.deepEqual((await stored(inner)).log?.at(-1)?.explanation, 'Case hidden');
    const { items, log } = await stored(outer);
    assert.equal(items?.[0]?.visible, false);
    assert.equal(log?.at(-1)?.explanation, `Referenced case(s) hidden: ${inner}`);
  });

  it('hide nothing that only looks like a reference', async () => {
    const inner = await services.aCase(ana);
    const outer = await services.aCase(ana, { items: [{ type: 'markdown', value: `see ${inner}`, name: inner }] });
    await services.investigations.cases.hide(ana, [inner], 'now');
    assert.equal((await stored(outer)).items?.[0]?.visible, true);
    await services.investigations.cases.delete(root, [inner], 'now');
    assert.equal((await stored(outer)).items?.length, 1);
  });

  it('are deleted with every reference to them, in cases and in records', async () => {
    const { inner, outer } = await pair();
    const hit = await services.aHit(ana);
    const event = await services.anEvent(ana);
    for (const [type, value] of [
      ['hit', hit.howler.id],
      ['event', event],
    ] as const) {
      await services.investigations.items.append(ana, inner, { type, value, name: type }, 'now');
    }
    assert.equal(await services.investigations.cases.delete(root, [inner, 'none'], 'now'), 1);
    assert.equal(await services.caseCollection.get(inner, EVERYTHING), undefined);
    assert.deepEqual((await stored(outer)).items, []);
    assert.deepEqual((await services.store.get(ana, hit.howler.id)).document.howler.related, []);
    assert.deepEqual((await services.eventCollection.get(event, EVERYTHING))?.howler.related, []);
  });
});
