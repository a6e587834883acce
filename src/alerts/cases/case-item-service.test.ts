import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { anActor, anAdministrator } from '../../testing/alerts/alert-services.ts';
import { type CaseServices, EVERYTHING, openCaseServices } from '../../testing/alerts/case-services.ts';

const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();

let services: CaseServices;
before(async () => {
  services = await openCaseServices();
});
after(() => services.close());

const append = async (id: string, input: Record<string, unknown>, actor = ana) =>
  (await services.investigations.items.append(actor, id, { name: 'n', ...input }, 'now')).document;
const remove = async (id: string, itemIds: readonly string[], force = false, actor = ana) =>
  (await services.investigations.items.remove(actor, id, itemIds, { force, visible: 'now' })).document;
const howlerOf = async (id: string) => (await services.store.get(root, id)).document.howler;

async function aFolder(id: string, name: string): Promise<string> {
  const made = (await append(id, { type: 'folder', value: '', name })).items?.at(-1);
  assert.ok(made);
  return made.id;
}

describe('adding an item', () => {
  it('puts it into the folder of its path, before its parent, and at the root when there is none', async () => {
    const id = await services.aCase(ana);
    const outer = await aFolder(id, 'outer');
    await append(id, { type: 'folder', value: '', name: 'inner', parent: outer });
    const parents: (string | null | undefined)[] = [];
    for (const [index, fields] of [
      { path: 'outer' },
      { parent: outer },
      { path: 'nowhere', parent: outer },
      { path: '/', parent: outer },
      { path: '', parent: outer },
      { path: null, parent: null },
    ].entries()) {
      const { items } = await append(id, { type: 'markdown', value: 'v', name: `n${index}`, ...fields });
      parents.push(items?.at(-1)?.parent);
    }
    assert.deepEqual(parents, [outer, outer, undefined, undefined, outer, undefined]);
    await assert.rejects(append(id, { type: 'markdown', value: 'v', path: 5 }), { code: 'invalid_body' });
  });

  it('gathers from records what the case is about, and writes the case into them', async () => {
    const id = await services.aCase(ana);
    const hit = await services.aHit(ana, { 'howler.outline': { threat: 'b', indicators: ['z'] } });
    const event = await services.anEvent(ana, {
      'howler.outline': { threat: 'a', target: 't' },
      'related.user': ['y'],
    });
    await append(id, { type: 'hit', value: hit.howler.id, name: null });
    const { items, threats, targets, indicators } = await append(id, { type: 'event', value: event });
    assert.deepEqual([threats, targets, indicators], [['a', 'b'], ['t'], ['y', 'z']]);
    assert.equal(items?.[0]?.name, hit.howler.id);
    const { related, log } = await howlerOf(hit.howler.id);
    assert.deepEqual(related, [id]);
    assert.equal(log.at(-1)?.explanation, `Added to case ${id}`);
    const inEvent = await services.eventCollection.get(event, EVERYTHING);
    assert.deepEqual(inEvent?.howler.related, [id]);
    assert.equal(inEvent?.howler.log.at(-1)?.user, 'ana');
  });

  it('keeps what was written by hand as long as no record comes or goes', async () => {
    const id = await services.aCase(ana, { targets: ['by hand'] });
    assert.deepEqual((await append(id, { type: 'markdown', value: 'v' })).targets, ['by hand']);
    const hit = await services.aHit(ana);
    assert.deepEqual((await append(id, { type: 'hit', value: hit.howler.id, name: 'hit' })).targets, []);
  });

  it('takes every record once, and every case as often as it likes', async () => {
    const [id, other] = [await services.aCase(ana), await services.aCase(ana)];
    const hit = await services.aHit(ana);
    await append(id, { type: 'hit', value: hit.howler.id });
    await assert.rejects(append(id, { type: 'hit', value: hit.howler.id, name: 'x' }), { code: 'case_item_present' });
    await append(id, { type: 'case', value: other });
    const { items } = await append(id, { type: 'case', value: other });
    assert.deepEqual(
      items?.map(({ name }) => name),
      ['n', `n (${other})`, `n (${other}) (${other})`],
    );
  });

  it('never gives two things one name, but to records and cases another', async () => {
    const id = await services.aCase(ana);
    const hit = await services.aHit(ana);
    await append(id, { type: 'markdown', value: 'v' });
    for (const type of ['markdown', 'reference', 'folder']) {
      await assert.rejects(append(id, { type, value: 'v' }), { kind: 'conflict', code: 'case_item_name_taken' });
    }
    const { items } = await append(id, { type: 'hit', value: hit.howler.id });
    assert.equal(items?.at(-1)?.name, `n (${hit.howler.id})`);
    const folder = await aFolder(id, 'folder');
    await append(id, { type: 'markdown', value: 'v', parent: folder });
  });

  it('refuses an identifier that is taken', async () => {
    const id = await services.aCase(ana);
    const folder = await aFolder(id, 'folder');
    await assert.rejects(append(id, { type: 'markdown', value: 'v', id: folder }), { code: 'case_item_id_taken' });
  });

  it('refuses what the caller or the case may not have', async () => {
    const id = await services.aCase(ana);
    const secret = await services.aHit(ana, { classification: 'RESTRICTED' });
    const hidden = await services.aCase(ana, { classification: 'RESTRICTED' });
    const hit = { type: 'hit', value: secret.howler.id };
    const note = { type: 'markdown', value: 'v', classification: 'RESTRICTED' };
    await assert.rejects(append(id, hit, low), { kind: 'not_found' });
    await assert.rejects(append(id, hit), { kind: 'forbidden', code: 'item_above_case' });
    await assert.rejects(append(id, hit, root), { kind: 'forbidden', code: 'item_above_case' });
    await assert.rejects(append(id, { type: 'case', value: hidden }, low), { kind: 'not_found' });
    await assert.rejects(append(id, { type: 'case', value: hidden }), { kind: 'forbidden' });
    await assert.rejects(append(id, note, low), { kind: 'forbidden', code: 'classification_too_high' });
    await assert.rejects(append(id, note), { kind: 'forbidden', code: 'item_above_case' });
    assert.deepEqual((await howlerOf(secret.howler.id)).related, []);
    assert.deepEqual((await services.cases.get(ana, id))?.items, []);
  });

  it('refuses cases in folders', async () => {
    const [id, other] = [await services.aCase(ana), await services.aCase(ana)];
    const parent = await aFolder(id, 'folder');
    await assert.rejects(append(id, { type: 'case', value: other, parent }), { kind: 'invalid_input' });
  });
});

describe('removing items', () => {
  it('takes records out with everything that the case had from them', async () => {
    const id = await services.aCase(ana);
    const folder = await aFolder(id, 'folder');
    const hit = await services.aHit(ana, { 'related.ip': ['192.0.2.9'] });
    await append(id, { type: 'hit', value: hit.howler.id, parent: folder });
    await assert.rejects(remove(id, [folder]), { code: 'case_folder_not_empty' });
    const { items, indicators } = await remove(id, [folder], true);
    assert.deepEqual([items, indicators], [[], []]);
    const { related, log } = await howlerOf(hit.howler.id);
    assert.deepEqual(related, []);
    assert.equal(log.at(-1)?.explanation, `Removed from case ${id}`);
  });

  it('removes all of them or none', async () => {
    const id = await services.aCase(ana);
    const folder = await aFolder(id, 'folder');
    await assert.rejects(remove(id, [folder, 'none', 'nowhere']), {
      code: 'case_item_missing',
      message: 'Item(s) not found in case: none, nowhere',
    });
    assert.equal((await services.cases.get(ana, id))?.items?.length, 1);
  });

  it('works for records that are gone', async () => {
    const id = await services.aCase(ana);
    const hit = await services.aHit(ana);
    const item = (await append(id, { type: 'hit', value: hit.howler.id })).items?.[0];
    await services.service.delete(root, [hit.howler.id], 'now');
    assert.deepEqual((await remove(id, [item?.id ?? ''])).items, []);
  });
});

describe('items above the caller', () => {
  it('do not exist for them, in a case that they may see', async () => {
    const id = await services.aCase(ana, { classification: 'RESTRICTED' });
    const item = (await append(id, { type: 'markdown', value: 'v', classification: 'RESTRICTED' })).items?.[0];
    // Stored by an older program: the case lies below what it holds.
    const before = await services.caseCollection.get(id, EVERYTHING);
    assert.ok(before && item);
    const parts = await services.caseCollection.get(await services.aCase(ana), EVERYTHING);
    await services.caseCollection.save(id, { ...parts, ...before, ...lowered(parts) });
    await assert.rejects(remove(id, [item.id], true, low), { code: 'case_item_missing' });
    await assert.rejects(services.investigations.items.move(low, id, item.id, { name: 'x' }, 'now'), {
      code: 'case_item_missing',
    });
    assert.deepEqual((await remove(id, [item.id], false, root)).items, []);
  });
});

/** Classification and access fields of another case. */
function lowered(from: object | undefined): Record<string, unknown> {
  const kept = Object.entries(from ?? {}).filter(([key]) => key === 'classification' || key.startsWith('__access_'));
  return Object.fromEntries(kept);
}
