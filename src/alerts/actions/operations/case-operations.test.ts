import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type ActionServices, aRunner, openActionServices } from '../../../testing/alerts/action-services.ts';
import { anActor } from '../../../testing/alerts/alert-services.ts';
import { itemsOf } from '../../cases/case-items.ts';

const ana = anActor();
const rae = aRunner();

let opened: ActionServices;
beforeEach(async () => {
  opened = await openActionServices();
});
afterEach(() => opened.close());

const aHit = (fields: Record<string, unknown> = {}) => opened.services.aHit(ana, fields);

describe('add_to_case', () => {
  const aCase = (input: object = {}) =>
    opened.services.cases.create(
      ana,
      { title: 'T', summary: 'S', classification: 'UNRESTRICTED', ...input },
      [],
      'now',
    );
  /** `folder/folder/name` of every item that is not a folder. */
  async function pathsOf(caseId: string): Promise<string[]> {
    const found = await opened.services.cases.get(ana, caseId);
    const items = found ? itemsOf(found) : [];
    const pathOf = (id: string | undefined): string => {
      const item = items.find((one) => one.id === id);
      return item === undefined ? '' : `${pathOf(item.parent)}/${item.name}`;
    };
    return items.flatMap(({ id, type }) => (type === 'folder' ? [] : [pathOf(id)])).sort();
  }

  it('files alerts at places named by their fields, folders made once', async () => {
    const [first, second] = [await aHit(), await aHit({ 'howler.analytic': 'A/B' })];
    const { case_id: id } = await aCase();
    const [outcome] = await opened.run(rae, 'add_to_case', { case_id: id });
    assert.deepEqual([outcome?.outcome, outcome?.title], ['success', 'Added to Case']);
    assert.deepEqual(await pathsOf(id), [`/related/A/B (${second.howler.id})`, `/related/Probe (${first.howler.id})`]);
    const { document } = await opened.services.store.get(ana, first.howler.id);
    assert.deepEqual(document.howler.related, [id]);
    const found = await opened.services.cases.get(ana, id);
    assert.equal(found && itemsOf(found).filter(({ type }) => type === 'folder').length, 2);
  });

  it('passes over alerts that lie in the case, and leaves the case alone when all do', async () => {
    const first = await aHit();
    const { case_id: id } = await aCase();
    await opened.run(rae, 'add_to_case', { case_id: id, destination: 'x' });
    const second = await aHit();
    const outcomes = await opened.run(rae, 'add_to_case', { case_id: id, destination: 'a/{{howler.id}}' });
    assert.deepEqual(
      outcomes.map(({ outcome, query }) => [outcome, query]),
      [
        ['success', `(howler.id:(${second.howler.id}))`],
        ['skipped', `(howler.id:(${first.howler.id}))`],
      ],
    );
    assert.deepEqual(await pathsOf(id), [`/a/${second.howler.id}`, '/x'].sort());
    const before = await opened.services.cases.getVersioned(ana, id);
    const again = await opened.run(rae, 'add_to_case', { case_id: id });
    assert.deepEqual(
      again.map(({ outcome }) => outcome),
      ['skipped'],
    );
    assert.deepEqual(await opened.services.cases.getVersioned(ana, id), before);
  });

  it('tells apart alerts of one name, and files what names nothing under its identifier', async () => {
    const [first, second] = [await aHit(), await aHit()];
    const { case_id: id } = await aCase();
    await opened.run(rae, 'add_to_case', { case_id: id, destination: 'same' }, `howler.id:${first.howler.id}`);
    await opened.run(rae, 'add_to_case', { case_id: id, destination: 'same' }, `howler.id:${second.howler.id}`);
    const third = await aHit();
    await opened.run(rae, 'add_to_case', { case_id: id, destination: 'f/' });
    assert.deepEqual(await pathsOf(id), ['/same', `/same (${second.howler.id})`, `/f/${third.howler.id}`].sort());
  });

  it('passes over alerts that may not lie in the case or whose place is taken by no folder', async () => {
    const open = await aHit();
    const secret = await aHit({ classification: 'RESTRICTED' });
    const { case_id: id } = await aCase();
    const outcomes = await opened.run(rae, 'add_to_case', { case_id: id, destination: 'x' });
    assert.deepEqual(
      outcomes.map(({ outcome, query }) => [outcome, query]),
      [
        ['success', `(howler.id:(${open.howler.id}))`],
        ['skipped', `(howler.id:(${secret.howler.id}))`],
      ],
    );
    await aHit();
    const [taken] = await opened.run(
      rae,
      'add_to_case',
      { case_id: id, destination: 'x/y' },
      'classification:UNRESTRICTED AND -_exists_:howler.related',
    );
    assert.match(taken?.message ?? '', /'x'/);
    assert.deepEqual(await pathsOf(id), ['/x'], 'no folder without an alert in it');
  });

  it('loses nothing when two runs file at once', async () => {
    const ids = [(await aHit()).howler.id, (await aHit()).howler.id];
    const { case_id: id } = await aCase();
    await Promise.all(
      ids.map((hitId) =>
        opened.run(rae, 'add_to_case', { case_id: id, destination: 'f/{{howler.id}}' }, `howler.id:${hitId}`),
      ),
    );
    assert.deepEqual(await pathsOf(id), ids.map((hitId) => `/f/${hitId}`).sort());
    const found = await opened.services.cases.get(ana, id);
    assert.equal(found?.items?.filter(({ type }) => type === 'folder').length, 1);
  });

  it('is refused without a case that the actor may see, and with a broken destination', async () => {
    await aHit();
    const low = { ...rae, ...anActor({ username: 'low', classification: 'UNRESTRICTED', roles: rae.roles }) };
    const { case_id: id } = await aCase({ classification: 'RESTRICTED' });
    const titleOf = async (given: object, actor = rae) =>
      (await opened.run(actor, 'add_to_case', given)).map(({ title }) => title);
    assert.deepEqual(await titleOf({}), ['Missing Case ID']);
    assert.deepEqual(await titleOf({ case_id: 'none' }), ['Case Not Found']);
    assert.deepEqual(await titleOf({ case_id: id }, low), ['Case Not Found']);
    assert.deepEqual(await titleOf({ case_id: id, destination: '{{#a}}' }), ['Failed to Execute']);
    const outcomes = await opened.run(rae, 'add_to_case', { case_id: id }, 'message:none');
    assert.deepEqual(
      outcomes.map(({ title }) => title),
      ['No Matching Hits'],
    );
  });
});

describe('add_to_bundle and remove_from_bundle', () => {
  const aBundle = async (children: readonly string[]) =>
    (await opened.services.bundles.create(ana, { 'howler.analytic': 'Bundle' }, children, 'now')).root.howler.id;
  const run = async (id: string, given: object, query?: string) =>
    (await opened.run(rae, id, given, query)).map(({ outcome, title }) => [outcome, title]);
  const childrenOf = async (id: string) => (await opened.services.bundles.find(ana, id))?.childIds;

  it('put alerts into a bundle and take them out, and pass over the others', async () => {
    const [child, other] = [(await aHit()).howler.id, (await aHit()).howler.id];
    const bundleId = await aBundle([child]);
    assert.deepEqual(await run('add_to_bundle', { bundle_id: bundleId }), [
      ['skipped', 'Skipped Hits'],
      ['success', 'Executed Successfully'],
    ]);
    assert.deepEqual(await childrenOf(bundleId), [child, other]);
    assert.deepEqual(await run('remove_from_bundle', { bundle_id: bundleId }, `howler.id:${child}`), [
      ['success', 'Executed Successfully'],
    ]);
    assert.deepEqual(await run('remove_from_bundle', { bundle_id: bundleId }, `howler.id:(${child} OR ${bundleId})`), [
      ['skipped', 'Skipped Hits Not in Bundle'],
    ]);
    assert.deepEqual(await childrenOf(bundleId), [other]);
  });

  it('are refused without a bundle, and put no bundle into another', async () => {
    const plain = (await aHit()).howler.id;
    assert.deepEqual(await run('add_to_bundle', {}), [['error', 'Invalid Bundle ID']]);
    assert.deepEqual(await run('add_to_bundle', { bundle_id: 'none' }), [['error', 'Invalid Bundle']]);
    assert.deepEqual(await run('remove_from_bundle', { bundle_id: plain }), [['error', 'Invalid Bundle']]);
    const [first, second] = [await aBundle([plain]), await aBundle([plain])];
    assert.deepEqual(await run('add_to_bundle', { bundle_id: first }, `howler.id:${second}`), [
      ['error', 'Failed to Execute'],
    ]);
    assert.deepEqual(await run('add_to_bundle', { bundle_id: first }, 'message:none'), [
      ['skipped', 'No Matching Hits'],
    ]);
    assert.deepEqual(await childrenOf(first), [plain]);
  });
});
