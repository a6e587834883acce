import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Role } from '../../identity/actor.ts';
import { type ActionServices, openActionServices } from '../../testing/alerts/action-services.ts';
import { anActor, anAdministrator } from '../../testing/alerts/alert-services.ts';
import type { ActionService } from './action-service.ts';

const ana = anActor();
const ben = anActor({ username: 'ben' });
const vera = anActor({ username: 'vera', roles: new Set<Role>(['user', 'automation_advanced']) });
const root = anAdministrator();
const LABEL = { operation_id: 'add_label', data_json: '{"label":"x"}' };
const anAction = (changes: object = {}) => ({ name: 'Label', query: 'howler.id:*', operations: [LABEL], ...changes });

describe('ActionService', () => {
  let opened: ActionServices;
  let actions: ActionService;
  beforeEach(async () => {
    opened = await openActionServices();
    actions = opened.actions;
  });
  afterEach(() => opened.close());
  const create = (changes: object = {}, actor = ana) => actions.create(actor, anAction(changes), 'now');

  it('gives an action to who makes it, with an identifier of its own', async () => {
    const action = await create({ owner: 'ben', action_id: 'mine', unknown: 1 });
    assert.deepEqual([action.owner, action.admins, action.members, action.triggers], ['ana', [], [], []]);
    assert.notEqual(action.action_id, 'mine');
    assert.deepEqual((await actions.get(ana, action.action_id)).document, action);
  });

  it('lists actions by name, regardless of who they belong to', async () => {
    for (const [name, actor] of [
      ['b', ana],
      ['a', ben],
    ] as const) {
      await create({ name }, actor);
    }
    assert.deepEqual(
      (await actions.list(ana)).map(({ document }) => document.name),
      ['a', 'b'],
    );
  });

  it('refuses what is not an action', async () => {
    const bad: readonly (readonly [object, string])[] = [
      [{ name: undefined }, 'action_incomplete'],
      [{ name: '' }, 'action_incomplete'],
      [{ query: [] }, 'action_incomplete'],
      [{ query: 'a:[' }, 'invalid_query'],
      [{ operations: null }, 'action_incomplete'],
      [{ operations: {} }, 'action_incomplete'],
      [{ operations: [] }, 'action_incomplete'],
      [{ operations: [LABEL, LABEL] }, 'operation_repeated'],
      [{ operations: ['add_label'] }, 'invalid_document'],
      [{ operations: [{}] }, 'invalid_document'],
      [{ operations: [{ ...LABEL, data_json: '{"label"' }] }, 'invalid_operation_data'],
      [{ operations: [{ ...LABEL, data_json: '[1]' }] }, 'invalid_operation_data'],
      [{ operations: [{ ...LABEL, data_json: { label: 'x' } }] }, 'invalid_operation_data'],
      [{ triggers: ['odd'] }, 'invalid_trigger'],
      [{ triggers: 'create' }, 'invalid_trigger'],
    ];
    for (const [changes, code] of bad) {
      await assert.rejects(create(changes), { code }, JSON.stringify(changes));
    }
    assert.deepEqual(await actions.list(ana), []);
  });

  it('keeps operations that are not installed', async () => {
    const operations = [{ operation_id: 'send_to_sentinel' }];
    assert.deepEqual((await create({ operations })).operations, operations);
  });

  it('changes what is sent and keeps the rest', async () => {
    const { action_id: id } = await create();
    const changed = await actions.update(ana, id, { name: 'Other', action_id: 'x' }, 'now');
    assert.deepEqual([changed.name, changed.query, changed.action_id], ['Other', 'howler.id:*', id]);
    assert.deepEqual((await actions.get(ana, id)).document, changed);
  });

  it('loses no change of two that come at once', async () => {
    const { action_id: id } = await create();
    await Promise.all([
      actions.update(ana, id, { name: 'Other' }, 'now'),
      actions.update(ana, id, { query: 'message:x' }, 'now'),
    ]);
    const { document } = await actions.get(ana, id);
    assert.deepEqual([document.name, document.query], ['Other', 'message:x']);
  });

  it('checks the whole action that a change would make', async () => {
    const { action_id: id } = await create();
    const bad = [{ name: '' }, { query: 'a:[' }, { operations: [] }, { operations: [LABEL, LABEL] }, { owner: 'ben' }];
    for (const change of bad) {
      await assert.rejects(actions.update(ana, id, change, 'now'), { kind: 'invalid_input' }, JSON.stringify(change));
    }
    await assert.rejects(actions.update(ana, 'none', { name: 'x' }, 'now'), { code: 'action_missing' });
  });

  it('lets its owner, its admins and administrators change it, and its owner and administrators delete it', async () => {
    const { action_id: id } = await create({ admins: ['ben'], members: ['cem'] });
    await assert.rejects(actions.update(anActor({ username: 'cem' }), id, { name: 'x' }, 'now'), {
      code: 'action_not_owned',
    });
    for (const actor of [ben, root]) await actions.update(actor, id, { name: actor.username }, 'now');
    await assert.rejects(actions.delete(ben, id, 'now'), { code: 'action_not_owned' });
    await actions.delete(root, id, 'now');
    await assert.rejects(actions.delete(root, id, 'now'), { code: 'action_missing' });
    await assert.rejects(actions.get(ana, id), { code: 'action_missing' });
  });

  it('requires automation_advanced to create an action with triggers', async () => {
    await assert.rejects(create({ triggers: ['create'] }), { code: 'triggers_denied' });
    await assert.rejects(create({ triggers: ['create'] }, root), { code: 'triggers_denied' });
    assert.deepEqual(await actions.list(ana), []);
    assert.deepEqual((await create({ triggers: [] })).triggers, []);
    assert.deepEqual((await create({ triggers: ['create'] }, vera)).triggers, ['create']);
  });

  it('requires automation_advanced to add, replace or remove triggers', async () => {
    const { action_id: id } = await create({ triggers: ['create', 'promote'] }, vera);
    const { action_id: without } = await create();
    const refused = [
      ['create', 'promote', 'demote'],
      ['create'],
      ['create', 'demote'],
      ['create', 'create'],
      [],
      undefined,
    ];
    for (const triggers of refused) {
      const change = { name: 'x', ...(triggers && { triggers }) };
      await assert.rejects(actions.update(root, id, change, 'now'), { code: 'triggers_denied' }, String(triggers));
    }
    await assert.rejects(actions.update(ana, without, { triggers: ['create'] }, 'now'), { code: 'triggers_denied' });
    assert.deepEqual((await actions.get(ana, id)).document.triggers, ['create', 'promote']);
    assert.deepEqual((await actions.get(ana, without)).document.triggers, []);
    await actions.update(root, id, { name: 'x', triggers: ['promote', 'create'] }, 'now');
    await actions.update(ana, without, { name: 'y' }, 'now');
    for (const triggers of [['create', 'promote', 'demote'], ['demote'], []] as const) {
      assert.deepEqual((await actions.update(vera, id, { triggers }, 'now')).triggers, triggers);
    }
    await assert.rejects(actions.update(vera, id, { triggers: ['odd'] }, 'now'), { code: 'invalid_trigger' });
  });
});
