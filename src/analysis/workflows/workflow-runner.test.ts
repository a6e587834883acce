import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { workflowDocument } from '../../documents/kinds/analysis/workflow.ts';
import { readAccessFor } from '../../identity/accounts/read-access.ts';
import { anAnalysisAlert } from '../../testing/alerts/analysis-alert.ts';
import { BRANCHES } from '../../testing/branches-classification.ts';
import { WorkflowRunner } from './workflow-runner.ts';
import { WorkflowService } from './workflow-service.ts';

const SEEN = unrestricted('the test looks at what is stored');

describe('WorkflowRunner', () => {
  it('triages alerts without a status, then decides, then labels; each change is an event', async (context) => {
    const { addAlert, addWorkflow, runner, alert, workflow } = await setUp(context);
    await addAlert('one', { type: 'MAIL' });
    await addAlert('two');
    const labels = await addWorkflow({ name: 'label', query: 'type:MAIL AND status:MALICIOUS', labels: ['MAIL'] });
    const decides = await addWorkflow({ name: 'decide', query: 'type:MAIL', status: 'MALICIOUS', priority: 'HIGH' });
    await runner.runOnce();
    const one = await alert('one');
    assert.deepEqual([one.status, one.priority, one.label], ['MALICIOUS', 'HIGH', ['MAIL']]);
    assert.deepEqual(
      one.events.map(({ entity_id, entity_type, status }) => [entity_id, entity_type, status]),
      [
        ['DEFAULT', 'workflow', 'TRIAGE'],
        [decides, 'workflow', 'MALICIOUS'],
        [labels, 'workflow', undefined],
      ],
    );
    assert.equal((await alert('two')).status, 'TRIAGE');
    assert.deepEqual([one.workflows_completed, (await alert('two')).workflows_completed], [true, true]);
    const { hit_count: hits, first_seen: first, last_seen: last } = await workflow(decides);
    assert.equal(hits, 1);
    assert.ok(first !== undefined && first === last);
  });

  it('leaves alone what has already what it would set, and runs once for each alert', async (context) => {
    const { addAlert, addWorkflow, runner, alert, workflow } = await setUp(context);
    await addAlert('one', { status: 'ASSESS', priority: 'LOW', label: ['MAIL'] });
    const id = await addWorkflow({ name: 'a', query: '*', labels: ['MAIL'], priority: 'HIGH', status: 'MALICIOUS' });
    await runner.runOnce();
    assert.deepEqual((await alert('one')).events, []);
    assert.equal((await workflow(id)).hit_count, 0);
    const later = await addWorkflow({ name: 'later', query: '*', labels: ['NEW'] });
    await runner.runOnce();
    assert.deepEqual([(await alert('one')).label, (await workflow(later)).hit_count], [['MAIL'], 0]);
  });

  it('waits for deeper scans and new messages, but not forever', async (context) => {
    const { addAlert, runner, alert, clock } = await setUp(context);
    await addAlert('scanned', { extended_scan: 'submitted' });
    await addAlert('fresh', { reporting_ts: '2026-01-02T03:04:00.000000Z' });
    await runner.runOnce();
    assert.deepEqual([(await alert('scanned')).status, (await alert('fresh')).status], [undefined, undefined]);
    clock.now += 60_000;
    await runner.runOnce();
    assert.deepEqual([(await alert('scanned')).status, (await alert('fresh')).status], [undefined, 'TRIAGE']);
    clock.now += 2 * 86_400_000;
    await runner.runOnce();
    assert.equal((await alert('scanned')).status, 'TRIAGE');
  });

  it('skips a workflow that cannot run, and one that is off, and runs the others', async (context) => {
    const { addAlert, addWorkflow, runner, alert, workflows, warnings } = await setUp(context);
    await addAlert('one');
    const broken = await addWorkflow({ name: 'broken', query: 'x', labels: ['BROKEN'] });
    await workflows.update(broken, [{ op: 'set', path: 'query', value: '((' }], { visible: 'now' });
    await addWorkflow({ name: 'off', query: '*', labels: ['OFF'], enabled: false });
    await addWorkflow({ name: 'on', query: '*', labels: ['ON'] });
    await runner.runOnce();
    assert.deepEqual((await alert('one')).label, ['ON']);
    assert.equal(warnings.length, 1);
  });

  it('changes and counts no alert above the classification of the workflow', async (context) => {
    const { addAlert, addWorkflow, runner, alert, workflow } = await setUp(context);
    await addAlert('low', { classification: 'L0' });
    await addAlert('high', { classification: 'L2' });
    const id = await addWorkflow({ name: 'x', query: '*', labels: ['X'], classification: 'L1' });
    await runner.runOnce();
    assert.deepEqual([(await alert('low')).label, (await alert('high')).label], [['X'], []]);
    assert.equal((await workflow(id)).hit_count, 1);
  });
});

describe('WorkflowService', () => {
  it('runs a workflow over old alerts that its user may see', async (context) => {
    const { addAlert, addWorkflow, service, alert, workflow, low } = await setUp(context);
    await addAlert('low', { classification: 'L0', workflows_completed: true });
    await addAlert('high', { classification: 'L2', workflows_completed: true });
    const id = await addWorkflow({ name: 'x', query: '*', labels: ['X'], classification: 'L0' });
    await service.run(low, id);
    assert.deepEqual([(await alert('low')).label, (await alert('high')).label], [['X'], []]);
    assert.equal((await workflow(id)).hit_count, 1);
  });

  it('hides workflows above a user, and lets no one make one above themselves', async (context) => {
    const { addWorkflow, service, low } = await setUp(context);
    const id = await addWorkflow({ name: 'x', query: '*', labels: ['SECRET'], classification: 'L2' });
    await assert.rejects(service.get(id, low.searchAccess), { code: 'workflow_missing' });
    await assert.rejects(service.delete(low, id), { code: 'workflow_missing' });
    await assert.rejects(service.run(low, id), { code: 'workflow_missing' });
    assert.deepEqual(await service.labels(low.searchAccess), []);
    const input = { name: 'x', query: '*', labels: [], priority: null, status: null };
    await assert.rejects(service.create(low, { ...input, classification: 'L2' }), { code: 'classification_refused' });
    const own = await service.create(low, { ...input, classification: 'L0' });
    const change = { ...input, classification: 'L2' };
    await assert.rejects(service.edit(low, own.workflow_id ?? '', change), { code: 'classification_refused' });
  });

  it('keeps what only the program knows', async (context) => {
    const { service, low, workflow } = await setUp(context);
    const made = { name: 'x', query: '*', priority: null, status: null, hit_count: 7, creator: 'eve' };
    const { workflow_id: id = '' } = await service.create(low, made);
    await service.edit(low, id, { name: 'y', query: '*', hit_count: 9, creator: 'eve', workflow_id: 'other' });
    const { name, creator, hit_count: hits, workflow_id: same } = await workflow(id);
    assert.deepEqual([name, creator, hits, same], ['y', 'low', 0, id]);
  });
});

async function setUp(context: TestContext) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'workflows' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(async () => {
    await coordination.close();
    await datastore.close();
  });
  const classification = loadClassification(BRANCHES);
  const alerts = datastore.collection(alertDocument);
  const workflows = datastore.collection(workflowDocument);
  const clock = { now: Date.parse('2026-01-02T03:04:05Z') };
  const now = () => new Date(clock.now);
  const warnings: string[] = [];
  const log = { info() {}, error() {}, warn: (_entry: object, message: string) => void warnings.push(message) };
  const ids = Array.from({ length: 10 }, (_, index) => `workflow${index}`);
  const newId = () => ids.shift() ?? '';
  const service = new WorkflowService({ workflows, alerts, classification, log, newId, origin: 'here', now });
  const { locks } = coordination;
  const userWith = (username: string, level: string) => ({
    username,
    classification: level,
    searchAccess: readAccessFor(classification, level, undefined),
  });
  return {
    service,
    workflows,
    clock,
    warnings,
    low: userWith('low', 'L0'),
    runner: new WorkflowRunner({ workflows, alerts, service, classification, locks, log, now }),
    async addAlert(id: string, members: object = {}) {
      await alerts.save(id, anAnalysisAlert(classification, id, { ...members }), { visible: 'now' });
    },
    async addWorkflow(input: object): Promise<string> {
      const nothing = { classification: 'L2', priority: null, status: null };
      return (await service.create(userWith('root', 'L2'), { ...nothing, ...input })).workflow_id ?? '';
    },
    async alert(id: string) {
      const found = await alerts.get(id, SEEN);
      assert.ok(found !== undefined);
      return found;
    },
    async workflow(id: string) {
      const found = await workflows.get(id, SEEN);
      assert.ok(found !== undefined);
      return found;
    },
  };
}
