import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Trigger } from '../../documents/kinds/action.ts';
import { Unavailable } from '../../errors/errors.ts';
import type { Actor, Role } from '../../identity/actor.ts';
import { type ActionServices, aRunner, openActionServices } from '../../testing/alerts/action-services.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { changeLabels } from '../hits/changes/hit-labels.ts';
import { applyTransition } from '../hits/triage/hit-triage.ts';
import { ofAction } from '../workers/run-reports.ts';
import { queueOf, type TriggerItem, TriggerQueue } from '../workers/trigger-queue.ts';
import { MAX_OWNER_ACTIONS } from './triggered-actions.ts';

const vera = anActor({ username: 'vera', roles: new Set<Role>(['user', 'automation_basic', 'automation_advanced']) });
const rae = aRunner();
const plain = anActor({ username: 'plain' });
const low = anActor({ username: 'low', classification: 'UNRESTRICTED', roles: vera.roles });
const label = (name: string) => ({ operation_id: 'add_label', data_json: JSON.stringify({ label: name }) });

describe('triggered actions', () => {
  let opened: ActionServices;
  beforeEach(async () => {
    opened = await openActionServices();
    for (const actor of [vera, rae, plain, low]) opened.services.actors.set(actor.username, actor);
  });
  afterEach(() => opened.close());

  const anAction = async (changes: object): Promise<string> => {
    const given = { name: 'A', query: 'howler.id:*', triggers: ['create'], operations: [label('x')], ...changes };
    return (await opened.actions.create(vera, given, 'now')).action_id;
  };
  const create = async (actor: Actor, ...fields: Record<string, unknown>[]): Promise<string[]> => {
    const inputs = fields.map((one) => ({ 'howler.analytic': 'Probe', ...one }));
    const { valid } = await opened.services.service.read(actor, inputs);
    const hits = valid.map(({ record }) => record);
    await opened.services.service.create(actor, hits, 'soon', hits);
    return hits.map(({ howler }) => howler.id);
  };
  const taken = async (trigger: Trigger) => {
    const items = await opened.services.coordination.queues.take<TriggerItem>(queueOf(trigger), { max: 100 });
    for (const item of items) await item.acknowledge();
    return items.map(({ item }) => item);
  };
  const drain = async (trigger: Trigger) => opened.triggered.runQueued(trigger, await taken(trigger));
  const labelsOf = async (id: string) =>
    (await opened.services.store.get(vera, id)).document.howler.labels?.generic ?? [];
  const outcomesOf = async (actionId: string, actor = vera) => {
    const reports = await opened.services.reports.list(actor, ofAction(actionId));
    return reports.flatMap(({ outcomes }) => outcomes.map(({ outcome, title }) => `${outcome}: ${title}`));
  };

  it('run on the new alerts that match, with a report and a security event', async () => {
    const matching = await anAction({ query: 'message:one' });
    await anAction({ query: 'message:one', triggers: ['promote'], operations: [label('y')] });
    const [one = '', two = ''] = await create(vera, { message: 'one' }, { message: 'two' });
    await drain('create');
    assert.deepEqual([await labelsOf(one), await labelsOf(two)], [['x'], []]);
    const [report, ...others] = await opened.services.reports.list(vera, ofAction(matching));
    assert.deepEqual([report?.cause, report?.user, report?.records, others], ['create', 'vera', 1, []]);
    assert.deepEqual(opened.audited, [
      { event: 'action_triggered', service: 'alerts', user: 'vera', action: matching, trigger: 'create' },
    ]);
  });

  it('run after labels and transitions of every kind', async () => {
    for (const trigger of ['add_label', 'remove_label', 'promote', 'demote'] as const) {
      await anAction({ triggers: [trigger], operations: [label(trigger)] });
    }
    const [id = ''] = await create(vera, {});
    const { store } = opened.services;
    const set = { id, label_set: 'threat' };
    await changeLabels('append', store, vera, set, () => ['t'], 'now');
    await changeLabels('remove', store, vera, set, () => ['t'], 'now');
    const expected: readonly (readonly [Trigger, () => Promise<unknown>])[] = [
      ['promote', () => applyTransition(store, vera, id, 'promote', {}, {})],
      ['demote', () => applyTransition(store, vera, id, 'demote', {}, {})],
      ['promote', () => applyTransition(store, vera, id, 'assess', { assessment: 'compromise' }, {})],
      ['promote', () => applyTransition(store, vera, id, 're_evaluate', {}, {})],
      ['demote', () => applyTransition(store, vera, id, 'assess', { assessment: 'legitimate' }, {})],
    ];
    assert.deepEqual([(await taken('add_label')).length, (await taken('remove_label')).length], [1, 1]);
    for (const [trigger, change] of expected) {
      await change();
      const items = await taken(trigger);
      assert.deepEqual(
        items.map(({ hit_ids: ids, depth }) => [ids, depth]),
        [[[id], 1]],
      );
      await opened.triggered.runQueued(trigger, items);
    }
    assert.deepEqual(await labelsOf(id), ['promote', 'demote']);
    await applyTransition(store, vera, id, 'vote', { vote: 'benign', email: 'v@triad.example' }, {}).catch(() => {});
    for (const trigger of ['promote', 'demote'] as const) assert.deepEqual(await taken(trigger), []);
  });

  it('are not run a second time for an item that has a report', async () => {
    const operations = [{ operation_id: 'transition', data_json: '{"status":"open","transition":"assign_to_me"}' }];
    const actionId = await anAction({ operations });
    const [id = ''] = await create(vera, {});
    const items = await taken('create');
    await opened.triggered.runQueued('create', items);
    await applyTransition(opened.services.store, vera, id, 'release', {}, {});
    await opened.triggered.runQueued('create', items);
    assert.equal((await opened.services.store.get(vera, id)).document.howler.assignment, 'unassigned');
    assert.equal((await outcomesOf(actionId)).length, 1);
  });

  it('end alone when they fail, with a line in their report', async () => {
    const nope = { operation_id: 'transition', data_json: '{"status":"open","transition":"nope"}' };
    const broken = await anAction({ operations: [nope, label('after')] });
    const unknown = await anAction({ operations: [{ operation_id: 'no_such_operation' }] });
    await anAction({ operations: [label('fine')] });
    const [id = ''] = await create(vera, {});
    await drain('create');
    assert.deepEqual((await labelsOf(id)).toSorted(), ['after', 'fine']);
    assert.deepEqual(await outcomesOf(broken), ['error: Invalid Transition', 'success: Executed Successfully']);
    assert.deepEqual(await outcomesOf(unknown), ['error: Unknown Action']);
  });

  it('have the roles and limits of the user who changed the alerts', async () => {
    const actionId = await anAction({ operations: [label('x')] });
    await create(plain, {});
    await drain('create');
    assert.deepEqual(await outcomesOf(actionId), ['error: Insufficient permissions']);
    await create(rae, ...Array.from({ length: 21 }, () => ({})));
    await drain('create');
    assert.ok((await outcomesOf(actionId)).includes('error: Hit limit exceeded'));
    // Requests of one user that arrive together do not exceed the limit together.
    const ids = [];
    for (let request = 0; request < 3; request += 1) ids.push(...(await create(rae, ...Array(10).fill({}))));
    await drain('create');
    for (const id of ids) assert.deepEqual(await labelsOf(id), ['x']);
  });

  it('have the rights of the user at the time of the run, and no credential is queued', async () => {
    const actionId = await anAction({});
    const [id = ''] = await create(vera, {});
    const items = await taken('create');
    assert.deepEqual(
      items.map((item) => Object.keys(item).toSorted()),
      [['depth', 'hit_ids', 'id', 'user']],
    );
    opened.services.actors.set('vera', { ...vera, roles: plain.roles });
    await opened.triggered.runQueued('create', items);
    assert.deepEqual(await outcomesOf(actionId), ['error: Insufficient permissions']);
    opened.services.actors.delete('vera');
    await opened.triggered.runQueued(
      'create',
      items.map((item) => ({ ...item, id: 'later' })),
    );
    opened.services.actors.set('vera', vera);
    assert.deepEqual(await labelsOf(id), []);
  });

  it('run for no user who is gone, and reach nothing that the user may not see', async () => {
    await anAction({});
    const [hidden = ''] = await create(vera, { classification: 'RESTRICTED' });
    const [item] = await taken('create');
    await opened.triggered.runQueued('create', [{ ...item, id: 'other', user: 'low' }]);
    await opened.triggered.runQueued('create', [{ ...item, id: 'gone', user: 'gone' }]);
    for (const bad of [null, 5, 'x', {}, { id: 'x', hit_ids: [5], user: 'vera', depth: 1 }]) {
      await opened.triggered.runQueued('create', [bad]);
    }
    assert.deepEqual(await labelsOf(hidden), []);
  });

  it('stop at the fifth trigger in a row, and say so', async () => {
    const transition = (name: string) => ({
      operation_id: 'transition',
      data_json: JSON.stringify({ status: 'open', transition: name }),
    });
    const up = await anAction({ triggers: ['demote'], operations: [transition('promote')] });
    const down = await anAction({ triggers: ['promote'], operations: [transition('demote')] });
    const [id = ''] = await create(vera, {});
    await applyTransition(opened.services.store, vera, id, 'promote', {}, {});
    let runs = 0;
    for (let round = 0; round < 10; round += 1) {
      for (const trigger of ['promote', 'demote'] as const) {
        const items = await taken(trigger);
        runs += items.length;
        await opened.triggered.runQueued(trigger, items);
      }
    }
    assert.equal(runs, 5);
    const told = [...(await outcomesOf(up)), ...(await outcomesOf(down))];
    assert.equal(told.filter((outcome) => outcome === 'error: Too many triggers in a row').length, 1);
  });

  it('decide which alerts match before any of them runs', async () => {
    await anAction({ operations: [label('first')] });
    await anAction({ query: 'howler.labels.generic:first', operations: [label('second')] });
    const [id = ''] = await create(vera, {});
    await drain('create');
    assert.deepEqual(await labelsOf(id), ['first']);
  });

  it('of one owner leave room for those of others', async () => {
    const own: string[] = [];
    for (let count = 0; count <= MAX_OWNER_ACTIONS; count += 1) {
      own.push(await anAction({ query: 'message:none', operations: [label('own')] }));
    }
    const given = { name: 'B', query: 'howler.id:*', triggers: ['create'], operations: [label('other')] };
    await opened.actions.create({ ...vera, username: 'other' }, given, 'now');
    const [id = ''] = await create(vera, {});
    await drain('create');
    assert.deepEqual(await labelsOf(id), ['other']);
    const told = (await Promise.all(own.map((one) => outcomesOf(one)))).flat();
    assert.deepEqual(told, ['error: Not run']);
  });

  it('run at once where there is no queue', async () => {
    await anAction({});
    const { reports, shared } = opened.services;
    const push = async () => {
      throw new Unavailable('coordination_unavailable', 'gone');
    };
    for (const enabled of [true, false]) {
      const triggers = new TriggerQueue({ queues: { push }, reports, log: shared.log, enabled });
      triggers.runInlineBy((trigger, items) => opened.triggered.runInline(trigger, items));
      const hit = await opened.services.aHit(vera);
      await triggers.fire('create', vera, [hit], undefined);
      assert.deepEqual(await labelsOf(hit.howler.id), ['x']);
    }
  });

  it('do not run for imports, bundles and records of version 2', async () => {
    await opened.services.aHit(vera);
    await opened.services.bundles.create(
      vera,
      { 'howler.analytic': 'Bundle' },
      [(await create(vera, {}))[0] ?? ''],
      'now',
    );
    assert.equal((await taken('create')).length, 1);
  });

  it('run for rows of tools, but not for those that are known already', async () => {
    const batch = {
      tool: 'tool',
      map: new Map([['m', ['message']]]),
      records: [{ m: 'one' }, { m: 'two' }],
      ignoreUnknown: false,
      visible: 'now',
    } as const;
    await opened.services.tools.create(vera, batch);
    assert.deepEqual(
      (await taken('create')).map(({ hit_ids: ids }) => ids.length),
      [2],
    );
    await opened.services.tools.create(vera, batch);
    assert.deepEqual(await taken('create'), []);
  });
});
