import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../../datastore/port/read-access.ts';
import {
  type AlertServices,
  anActor,
  anAdministrator,
  openAlertServices,
} from '../../../testing/alerts/alert-services.ts';
import { createCaseResource } from '../../cases/case-resource.ts';

const EVERYTHING = unrestricted('the test looks at what is stored');
const ana = anActor();
const low = anActor({ username: 'low', classification: 'UNRESTRICTED' });
const root = anAdministrator();
const BUNDLE = { 'howler.analytic': 'Probe', 'howler.detection': 'Bundle', 'howler.is_bundle': true };

let services: AlertServices;
before(async () => {
  services = await openAlertServices();
});
after(() => services.close());

const aHitId = async (fields: Record<string, unknown> = {}) => (await services.aHit(ana, fields)).howler.id;
const create = (childIds: string[], input: unknown = BUNDLE, actor = ana) =>
  services.bundles.create(actor, input, childIds, 'now');

describe('a bundle', () => {
  it('is an alert at the root of a case that holds the others', async () => {
    const children = [
      await aHitId({
        'howler.outline.threat': '203.0.113.9',
        'howler.outline.target': 'srv',
        'related.hosts': ['b', 'a'],
      }),
      await aHitId(),
    ];
    const bundle = await create(children);
    assert.deepEqual(bundle.childIds, children);
    const stored = await services.caseCollection.get(bundle.caseId, EVERYTHING);
    assert.equal(stored?.title, 'Probe - Bundle');
    assert.deepEqual([stored?.threats, stored?.targets, stored?.indicators], [['203.0.113.9'], ['srv'], ['a', 'b']]);
    const folder = stored?.items?.find((item) => item.type === 'folder');
    assert.deepEqual(
      stored?.items?.map(({ type, value, parent }) => [type, value, parent]),
      [
        ['hit', bundle.root.howler.id, undefined],
        ['folder', 'hits', undefined],
        ...children.map((id) => ['hit', id, folder?.id]),
      ],
    );
    for (const id of [bundle.root.howler.id, ...children]) {
      const { document } = await services.store.get(ana, id);
      assert.deepEqual(document.howler.related, [bundle.caseId]);
      assert.equal(document.howler.log.at(-1)?.explanation, `Added to case ${bundle.caseId}`);
    }
  });

  it('leaves out children that do not exist for the actor', async () => {
    const seen = await aHitId();
    const hidden = await aHitId({ classification: 'RESTRICTED' });
    const bundle = await create([seen, hidden, 'none'], BUNDLE, low);
    assert.deepEqual(bundle.childIds, [seen]);
  });

  it('is refused before anything is stored, when it cannot be made', async () => {
    const child = await aHitId({ classification: 'RESTRICTED' });
    const inBundle = await create([await aHitId()]);
    const before = await services.hitCollection.count({ query: { kind: 'all' } }, EVERYTHING);
    await assert.rejects(create([child], { 'howler.score': 1 }), { code: 'invalid_document' });
    await assert.rejects(create([child], 'text'), { code: 'invalid_document' });
    await assert.rejects(create([child]), { code: 'item_above_case' });
    await assert.rejects(create([child], { ...BUNDLE, classification: 'R//GOD' }), { kind: 'invalid_input' });
    await assert.rejects(create([inBundle.root.howler.id]), { code: 'nested_bundle' });
    assert.equal(await services.hitCollection.count({ query: { kind: 'all' } }, EVERYTHING), before);
  });

  it('grows, and a plain alert becomes one', async () => {
    const plain = await aHitId();
    const [first, second] = [await aHitId(), await aHitId()];
    const made = await services.bundles.add(ana, plain, [first], 'now');
    assert.deepEqual(made.childIds, [first]);
    const grown = await services.bundles.add(ana, plain, [second, 'none'], 'now');
    assert.deepEqual([grown.caseId, grown.childIds], [made.caseId, [first, second]]);
    await assert.rejects(services.bundles.add(ana, plain, [second], 'now'), {
      kind: 'conflict',
      message: `The hit ${second} is already in the bundle ${plain}.`,
    });
    await assert.rejects(services.bundles.add(ana, 'none', [first], 'now'), { code: 'bundle_missing' });
  });

  it('shrinks, and takes the back-references away', async () => {
    const children = [await aHitId(), await aHitId(), await aHitId()];
    const { root: bundle, caseId } = await create(children);
    const id = bundle.howler.id;
    const smaller = await services.bundles.remove(ana, id, [children[0] ?? '', 'none', id], 'now');
    assert.deepEqual(smaller.childIds, children.slice(1));
    assert.deepEqual((await services.bundles.remove(ana, id, ['*'], 'now')).childIds, []);
    for (const child of children) {
      const { document } = await services.store.get(ana, child);
      assert.deepEqual(document.howler.related, []);
      assert.equal(document.howler.log.at(-1)?.explanation, `Removed from case ${caseId}`);
    }
    await assert.rejects(services.bundles.remove(ana, children[1] ?? '', ['*'], 'now'), { code: 'not_a_bundle' });
  });

  it('does not exist for who may not see it', async () => {
    const { root: bundle } = await create([await aHitId()], { ...BUNDLE, classification: 'RESTRICTED' });
    for (const change of [services.bundles.add, services.bundles.remove]) {
      await assert.rejects(change.call(services.bundles, low, bundle.howler.id, [], 'now'), { code: 'bundle_missing' });
    }
  });
});

describe('deleting cases', () => {
  it('takes them out of alerts and of other cases, and ignores what does not exist', async () => {
    const child = await aHitId();
    const { caseId } = await create([child]);
    const item = { id: 'ref', type: 'case', name: 'r', value: caseId, visible: true } as const;
    const referring = await services.cases.create(
      ana,
      { title: 't', summary: 's', classification: 'UNRESTRICTED' },
      [item],
      'now',
    );
    const { cases } = createCaseResource({ ...services.shared, store: services.cases });
    assert.equal(await cases.delete(root, [caseId, 'none'], 'now'), 1);
    assert.equal(await services.cases.get(ana, caseId), undefined);
    assert.deepEqual((await services.cases.get(ana, referring.case_id))?.items, []);
    assert.deepEqual((await services.store.get(ana, child)).document.howler.related, []);
    assert.equal(await cases.delete(root, ['none'], 'now'), 0);
  });
});
