import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ActionRun } from '../../../ui/src/features/alerts/triage/bulk/action-run.ts';
import { MAX_SINGLE } from '../../../ui/src/features/alerts/triage/bulk/bulk-plan.ts';
import { BulkRun } from '../../../ui/src/features/alerts/triage/bulk/bulk-run.ts';
import type { BulkState } from '../../../ui/src/features/alerts/triage/bulk/run-state.ts';
import { alertsOf, countAlerts, sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { triageService } from './triage-service.ts';

const COLLEAGUE = 'user:devkey:user';
/** More than single requests change. */
const COUNT = MAX_SINGLE + 10;

/** Sends changes of many alerts to the service as the interface does, which itself is not drawn. */
describe('a change of many alerts', () => {
  const service = triageService();
  afterEach(() => service.fault(() => 'pass'));

  const kindsOf = ({ failures }: BulkState) => failures.map(({ problem: { kind } }) => kind);
  const move = (id: string, transition: string, data: object = {}) =>
    sendJson(service.program, `/api/v1/hit/${id}/transition`, { transition, data }, { basic: COLLEAGUE });
  const count = (analytic: string, query: string) =>
    countAlerts(service.program, `howler.analytic:"${analytic}" AND ${query}`);

  async function open(analytic: string, fields: object = {}) {
    const ids = await storeAlerts(service.program, alertsOf(analytic, COUNT, fields));
    const window = service.window();
    return { ids, window, targets: await service.seen(ids), run: new BulkRun(COUNT, window) };
  }

  it('leaves an alert alone that a colleague assigned or promoted, although its status is the same', async () => {
    const { ids, targets, run } = await open('Same status');
    const [assigned = '', promoted = '', gone = ''] = ids;
    await move(assigned, 'assign_to_other', { assignee: 'ben' });
    await move(promoted, 'promote', { escalation: 'alert' });
    await sendJson(service.program, '/api/v1/hit', [gone], { method: 'DELETE' });
    const state = await run.change({ kind: 'take' }, targets);
    assert.deepEqual(kindsOf(state), ['changed', 'changed', 'gone']);
    assert.deepEqual([state.processed, state.undo.length], [COUNT, COUNT - 3]);
    assert.equal((await storedAlert(service.program, assigned)).assignment, 'ben');
    assert.equal(await count('Same status', 'howler.assignment:admin'), COUNT - 3);
  });

  it('is taken back to what was there before, but where a colleague changed an alert since', async () => {
    const { ids, targets, run, window } = await open('Taken back', { 'howler.assignment': 'ana' });
    const [assigned = ''] = ids;
    const { undo } = await run.change({ kind: 'assess', assessment: 'recon' }, targets);
    assert.equal(undo.length, COUNT);
    await move(assigned, 're_evaluate');
    const state = await new BulkRun(undo.length, window).undo(undo);
    assert.deepEqual([state.failures.map(({ id }) => id), kindsOf(state)], [[assigned], ['overtaken']]);
    assert.equal((await storedAlert(service.program, assigned)).assignment, 'user');
    assert.equal(await count('Taken back', 'howler.status:open AND howler.assignment:ana'), COUNT - 1);
  });

  it('whose answer is lost is recognised in the alerts, and can be taken back', async () => {
    const { targets, run, window } = await open('Lost');
    service.fault((request) => (request.endsWith('/action/execute') ? 'lose' : 'pass'));
    const state = await run.change({ kind: 'take' }, targets);
    assert.deepEqual([state.failures, state.undo.length, state.processed], [[], COUNT, COUNT]);
    service.fault(() => 'pass');
    await new BulkRun(COUNT, window).undo(state.undo);
    assert.equal(await count('Lost', 'howler.assignment:unassigned'), COUNT);
  });

  it('that did not arrive fails as a whole', async () => {
    const { targets, run } = await open('Cut');
    service.fault((request) => (request.endsWith('/action/execute') ? 'cut' : 'pass'));
    const state = await run.change({ kind: 'take' }, targets);
    assert.deepEqual([new Set(kindsOf(state)), state.failures.length], [new Set(['failed']), COUNT]);
    assert.deepEqual(state.undo, []);
    assert.equal(await count('Cut', 'howler.assignment:unassigned'), COUNT);
  });

  it('whose second operation fails says so, and the first is taken back', async () => {
    const verdict = { 'howler.status': 'resolved', 'howler.assessment': 'legitimate', 'howler.escalation': 'miss' };
    const { targets, run, window } = await open('Second', verdict);
    service.fault((request, number) =>
      request.endsWith('/action/execute') && number === 2 ? { status: 500 } : 'pass',
    );
    const state = await run.change({ kind: 'assess', assessment: 'recon' }, targets);
    assert.deepEqual([new Set(kindsOf(state)), state.failures.length], [new Set(['partial']), COUNT]);
    assert.equal(await count('Second', 'howler.status:in-progress'), COUNT);
    service.fault(() => 'pass');
    await new BulkRun(COUNT, window).undo(state.undo);
    assert.equal(await count('Second', 'howler.assessment:legitimate AND howler.status:resolved'), COUNT);
  });

  it('takes out of a case what it filed, and nothing that was there before', async () => {
    const { ids, targets, run, window } = await open('Filed');
    const { case_id: caseId } = await sendJson(service.program, '/api/v2/case/', { title: 'Filed', summary: 'Filed' });
    await sendJson(service.program, `/api/v2/case/${caseId}/items`, { type: 'hit', value: ids[0], name: null });
    const { undo } = await run.change({ kind: 'file', caseId }, targets);
    assert.equal(await count('Filed', `howler.related:"${caseId}"`), COUNT);
    await new BulkRun(undo.length, window).undo(undo);
    assert.equal(await count('Filed', `howler.related:"${caseId}"`), 1);
  });

  it('collects the alerts first, and changes none when it is cancelled meanwhile', async () => {
    const total = 620;
    const ids = await storeAlerts(service.program, alertsOf('Collected', total));
    const selection = { query: 'howler.analytic:Collected', filters: [], total };
    const cancelled = new BulkRun(total, service.window());
    cancelled.state.subscribe(() => {
      if (cancelled.state.read().phase === 'collecting') cancelled.cancel();
    });
    const left = await cancelled.change({ kind: 'take' }, selection);
    assert.deepEqual([left.processed, left.cancelled, left.undo.length], [0, total, 0]);
    assert.ok(!service.sent.some((request) => request.includes('execute')));

    const collected: number[] = [];
    const run = new BulkRun(total, service.window());
    run.state.subscribe(() => {
      const state = run.state.read();
      if (state.phase === 'collecting') collected.push(state.collected);
    });
    const done = await run.change({ kind: 'take' }, selection);
    assert.deepEqual(collected, [0, 500, total]);
    assert.deepEqual([done.failures, done.undo.length], [[], ids.length]);
  });

  describe('by a saved action', () => {
    const OPERATIONS = [
      { operation_id: 'add_label', data_json: JSON.stringify({ category: 'generic', label: 'seen' }) },
      { operation_id: 'prioritization', data_json: JSON.stringify({ field: 'score', value: '42' }) },
    ];

    async function openAction(analytic: string) {
      const opened = await open(analytic, { 'howler.score': 7 });
      const query = `howler.analytic:"${analytic}"`;
      const json = { name: analytic, query, triggers: [], operations: OPERATIONS };
      const { action_id: id } = await sendJson(service.program, '/api/v1/action/', json);
      const action = await service.api.readAction(id);
      return { ...opened, action, actionRun: new ActionRun(COUNT, opened.window) };
    }

    it('whose answer is lost offers to take back what it wrote', async () => {
      const { targets, action, actionRun, window } = await openAction('Lost action');
      service.fault((request) => (request.endsWith('/execute') ? 'lose' : 'pass'));
      const state = await actionRun.run(action, targets);
      assert.deepEqual([new Set(kindsOf(state)), state.failures.length], [new Set(['partial']), COUNT]);
      assert.equal(await count('Lost action', 'howler.score:42'), COUNT);
      service.fault(() => 'pass');
      await new BulkRun(state.undo.length, window).undo(state.undo);
      assert.equal(await count('Lost action', 'howler.score:7 AND NOT howler.labels.generic:seen'), COUNT);
    });

    it('that did not arrive offers nothing', async () => {
      const { targets, action, actionRun } = await openAction('Cut action');
      service.fault((request) => (request.endsWith('/execute') ? { status: 503 } : 'pass'));
      const state = await actionRun.run(action, targets);
      assert.deepEqual([new Set(kindsOf(state)), state.failures.length], [new Set(['failed']), COUNT]);
      assert.deepEqual([state.undo, state.processed], [[], COUNT]);
    });

    it('skips what its query does not match, and reports each alert once', async () => {
      const { ids, action, actionRun } = await openAction('Matched action');
      const [other = ''] = await storeAlerts(service.program, alertsOf('Other', 1));
      const state = await actionRun.run(action, await service.seen([...ids, other]));
      assert.deepEqual([state.total, state.failures, state.skipped], [COUNT, [], []]);
      assert.equal(state.undo.length, COUNT);
      assert.deepEqual((await storedAlert(service.program, other)).labels?.generic ?? [], []);
    });
  });
});
