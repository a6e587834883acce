import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { type ActionServices, aRunner, openActionServices } from '../../testing/alerts/action-services.ts';
import { anActor, anAdministrator } from '../../testing/alerts/alert-services.ts';
import { readInput } from '../../testing/read-input.ts';
import { ActionExecution } from './action-execution.ts';
import { ExecutionBody, SavedExecutionBody } from './action-schemas.ts';
import { type Operation, queryOfIds, skipped } from './operation.ts';

const rae = aRunner();
const ana = anActor();
const root = anAdministrator();

describe('running actions', () => {
  let opened: ActionServices;
  beforeEach(async () => {
    opened = await openActionServices();
  });
  afterEach(() => opened.close());

  it('says which operations it does not have', async () => {
    for (const id of ['nope', '__proto__', 'constructor']) {
      const report = await opened.execution.run(rae, {
        requestId: 'r',
        query: '*:*',
        operations: [{ operation_id: id }],
      });
      assert.deepEqual(Object.keys(report), [id]);
      assert.deepEqual(
        report[id]?.map(({ outcome, title, query }) => [outcome, title, query]),
        [['error', 'Unknown Action', '*:*']],
      );
    }
  });

  it('asks for any one of the roles of an operation, which administrators need not have', async () => {
    const { howler } = await opened.services.aHit(ana);
    const [denied] = await opened.run(rae, 'change_field', { field: 'message', value: 'x' });
    assert.equal(denied?.title, 'Insufficient permissions');
    assert.match(denied?.message ?? '', /missing one of: actionrunner_advanced, admin, automation_advanced/);
    const runner = aRunner('actionrunner_basic');
    assert.equal((await opened.run(runner, 'add_label', { label: 'x' }))[0]?.outcome, 'success');
    assert.equal((await opened.run(runner, 'add_to_case', { case_id: 'x' }))[0]?.title, 'Insufficient permissions');
    assert.equal((await opened.run(root, 'change_field', { field: 'message', value: 'x' }))[0]?.outcome, 'success');
    const { document } = await opened.services.store.get(ana, howler.id);
    assert.deepEqual([document.message, document.howler.labels?.generic], ['x', ['x']]);
  });

  it('does nothing when a query finds more than the actor may change at once', async () => {
    for (let index = 0; index < 11; index += 1) await opened.services.aHit(ana);
    const [refusal] = await opened.run(rae, 'prioritization', { value: '3' });
    assert.deepEqual([refusal?.outcome, refusal?.title, refusal?.query], ['error', 'Hit limit exceeded', '*:*']);
    assert.match(refusal?.message ?? '', /affects 11 hits.*only process 10/);
    assert.equal(await countOf('howler.score:3'), 0);
    const advanced = aRunner('actionrunner_basic', 'actionrunner_advanced');
    assert.equal((await opened.run(advanced, 'prioritization', { value: '3' }))[0]?.outcome, 'success');
    assert.equal(await countOf('howler.score:3'), 11);
    assert.equal((await opened.run(rae, 'add_label', { label: 'x' }))[0]?.outcome, 'success', 'labels allow 20');
  });

  it('sees and changes only what the actor may find', async () => {
    const { howler } = await opened.services.aHit(ana, { classification: 'RESTRICTED' });
    const before = await opened.services.store.get(ana, howler.id);
    const low = { ...rae, ...anActor({ username: 'low', classification: 'UNRESTRICTED', roles: rae.roles }) };
    const operations: readonly (readonly [string, object])[] = [
      ['add_label', { label: 'x' }],
      ['prioritization', { value: '5' }],
      ['promote', { escalation: 'evidence', assessment: 'recon' }],
      ['transition', { status: 'open', transition: 'assign_to_me' }],
    ];
    for (const [id, given] of operations) await opened.run(low, id, given);
    assert.deepEqual(await opened.services.store.get(ana, howler.id), before);
  });

  it('runs every operation, regardless of what becomes of the others, and each sees what the one before has changed', async () => {
    await opened.services.aHit(ana);
    const report = await opened.execution.run(root, {
      requestId: 'r',
      query: 'howler.score:0',
      operations: [
        { operation_id: 'change_field', data_json: '{"field":"classification","value":"UNRESTRICTED"}' },
        { operation_id: 'add_label', data_json: '{"label":{"a":1}}' },
        { operation_id: 'remove_label', data_json: 'no JSON' },
        { operation_id: 'prioritization', data_json: '{"value":"2"}' },
        { operation_id: 'transition', data_json: '{"status":"open","transition":"assign_to_me"}' },
      ],
    });
    const told = Object.entries(report).map(([id, outcomes]) => [id, ...outcomes.map(({ outcome }) => outcome)]);
    assert.deepEqual(told, [
      ['change_field', 'error'],
      ['add_label', 'error'],
      ['remove_label', 'error'],
      ['prioritization', 'success'],
      ['transition', 'skipped'],
    ]);
    assert.equal(report.change_field?.[0]?.title, 'Failed to Execute');
  });

  it('refuses a broken query before anything is run', async () => {
    for (const query of ['a:[', 'message:x) OR (*:*']) {
      await assert.rejects(opened.run(rae, 'add_label', { label: 'x' }, query), { code: 'invalid_query' }, query);
    }
  });

  it('tells once what is the same of several alerts', async () => {
    const told: Operation = {
      specification: { ...(opened.execution.specifications()[0] as Operation['specification']), id: 'told' },
      run: async () => [
        skipped('a', 'T', 'same'),
        skipped('b', 'T', 'other'),
        { ...skipped('c', 'T', 'same'), outcome: 'error' },
        skipped('d', 'T', 'same'),
      ],
    };
    const execution = new ActionExecution({ hits: opened.services.hitCollection, operations: [told] });
    const report = await execution.run(root, { requestId: 'r', query: '*:*', operations: [{ operation_id: 'told' }] });
    assert.deepEqual(report.told, [
      { query: '(a) OR (d)', outcome: 'skipped', title: 'T', message: 'same' },
      { query: '(b)', outcome: 'skipped', title: 'T', message: 'other' },
      { query: '(c)', outcome: 'error', title: 'T', message: 'same' },
    ]);
  });

  it('lists its operations, each once and with all that is needed to offer it', () => {
    const specifications = opened.execution.specifications();
    assert.deepEqual(
      specifications.map(({ id }) => id),
      [
        'add_label',
        'remove_label',
        'change_field',
        'prioritization',
        'promote',
        'demote',
        'transition',
        'add_to_case',
        'add_to_bundle',
        'remove_from_bundle',
      ],
    );
    for (const { id, i18nKey, description, steps } of specifications) {
      assert.equal(i18nKey, `operations.${id}`);
      const named = steps.flatMap(({ args }) => Object.keys(args));
      for (const name of named) assert.ok(description.long.includes(`\`${name}\``), `${id} does not describe ${name}`);
      const options = steps.flatMap((step) => Object.keys(step.options));
      for (const name of options) assert.ok(named.includes(name), `${id}: ${name}`);
    }
  });

  const countOf = (query: string): Promise<number> =>
    opened.services.hitCollection.count({ query: compileQuery(query, hitDocument) }, unrestricted('a test'));
});

describe('a request to run something', () => {
  const operations = [{ operation_id: 'add_label', data_json: '{"label":"x"}' }];

  it('names itself, a query and operations', () => {
    assert.deepEqual(readInput(ExecutionBody, { request_id: 'r', query: 'q', operations }), {
      requestId: 'r',
      query: 'q',
      operations,
    });
    assert.deepEqual(readInput(ExecutionBody, { request_id: 'r', query: 'q', operations: [] }).operations, []);
    assert.deepEqual(readInput(SavedExecutionBody, { request_id: 'r', query: '' }), { request_id: 'r' });
  });

  it('is refused without them', () => {
    const bad: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ query: 'q', operations }, 'argument_missing'],
      [{ request_id: 5, query: 'q', operations }, 'invalid_argument'],
      [{ request_id: 'r', operations }, 'argument_missing'],
      [{ request_id: 'r', query: 'q' }, 'argument_missing'],
      [{ request_id: 'r', query: 'q', operations: {} }, 'invalid_argument'],
      [{ request_id: 'r', query: 'q', operations: ['add_label'] }, 'invalid_argument'],
      [{ request_id: 'r', query: 'q', operations: [{ data_json: '{}' }] }, 'argument_missing'],
      [{ request_id: 'r', query: 'q', operations: [...operations, ...operations] }, 'operation_repeated'],
      [{ request_id: 'r', query: 'q', operations: [{ operation_id: 'a', data_json: '5' }] }, 'invalid_operation_data'],
    ];
    for (const [body, code] of bad) assert.throws(() => readInput(ExecutionBody, body), { code }, JSON.stringify(body));
    assert.throws(() => readInput(SavedExecutionBody, {}), { code: 'argument_missing' });
  });
});

describe('a query of identifiers', () => {
  it('takes those that look like syntax as they are', () => {
    assert.equal(
      queryOfIds(['a-1', 'OR', '-b', 'c"d\\', 'e f']),
      'howler.id:(a-1 OR "OR" OR "-b" OR "c\\"d\\\\" OR "e f")',
    );
  });
});
