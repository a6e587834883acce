import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { TriageError } from '../../../ui/src/features/alerts/triage/changes/problems.ts';
import { alertsOf, sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { triageService } from './triage-service.ts';

const COLLEAGUE = 'user:devkey:user';

/** Sends changes of one alert to the service as the interface does, which itself is not drawn. */
describe('a change of an alert', () => {
  const service = triageService();
  afterEach(() => service.fault(() => 'pass'));

  async function open(fields: object = {}) {
    const [id = ''] = await storeAlerts(service.program, alertsOf('Written', 1, fields));
    const window = service.window();
    const [target] = await service.seen([id], window);
    assert.ok(target);
    return { id, target, window, shown: () => window.copies.read(id)?.alert.howler };
  }
  const stored = (id: string) => storedAlert(service.program, id);
  const isRequest = (end: string) => (request: string) => request.startsWith('P') && request.endsWith(end);
  const [isTransition, isComment, isItem] = ['/transition', '/comments', '/items'].map(isRequest) as [
    ...ReturnType<typeof isRequest>[],
  ];
  /** Returns the error of a change that is to fail in part. */
  async function partOf(change: Promise<unknown>): Promise<TriageError> {
    const error = await change.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof TriageError && error.problem.kind === 'partial', String(error));
    return error;
  }

  it('whose answer is lost is recognised in the alert, and can be taken back', async () => {
    const { id, target, window, shown } = await open();
    service.fault((request) => (isTransition?.(request) ? 'lose' : 'pass'));
    const undo = await window.writer.write({ kind: 'assess', assessment: 'recon', rationale: 'Seen' }, target);
    assert.equal((await stored(id)).assessment, 'recon');
    assert.deepEqual([shown()?.status, shown()?.rationale], ['resolved', 'Seen']);
    assert.ok(undo);
    service.fault(() => 'pass');
    await window.writer.undo(undo);
    const { status, assignment, assessment } = await stored(id);
    assert.deepEqual([status, assignment, assessment], ['open', 'unassigned', undefined]);
  });

  it('that did not arrive fails, and is taken off the screen', async () => {
    const { id, target, window, shown } = await open();
    service.fault((request) => (isTransition?.(request) ? 'cut' : 'pass'));
    await assert.rejects(window.writer.write({ kind: 'take' }, target), { name: 'ApiProblem', status: 0 });
    assert.equal((await stored(id)).status, 'open');
    assert.deepEqual([shown()?.status, shown()?.assignment], ['open', 'unassigned']);
  });

  for (const fault of ['cut', { status: 403 }, { status: 500 }] as const) {
    it(`whose second request fails (${JSON.stringify(fault)}) shows the first, which can be taken back`, async () => {
      const { id, window } = await open();
      await sendJson(service.program, `/api/v1/hit/${id}/transition`, {
        transition: 'assess',
        data: { assessment: 'legitimate', rationale: 'Ours' },
      });
      const [target] = await service.seen([id], window);
      assert.ok(target);
      service.fault((request, number) => (isTransition?.(request) && number === 2 ? fault : 'pass'));
      const change = { kind: 'assess', assessment: 'recon' } as const;
      const { undo } = await partOf(window.writer.write(change, target));
      assert.equal((await stored(id)).status, 'in-progress');
      const { howler } = window.copies.read(id)?.alert ?? {};
      assert.deepEqual([howler?.status, howler?.assessment], ['in-progress', undefined]);
      assert.ok(undo);
      service.fault(() => 'pass');
      await window.writer.undo(undo);
      const { status, assessment, rationale } = await stored(id);
      assert.deepEqual([status, assessment, rationale], ['resolved', 'legitimate', 'Ours']);
    });
  }

  it('of labels that ends between adding and removing shows what was added', async () => {
    const { id, target, window, shown } = await open({ 'howler.labels.generic': ['old'] });
    service.fault((request) => (request.startsWith('DELETE') ? { status: 403 } : 'pass'));
    const change = { kind: 'label', set: 'generic', add: ['new'], remove: ['old'] } as const;
    const { undo } = await partOf(window.writer.write(change, target));
    assert.deepEqual(shown()?.labels?.generic, ['old', 'new']);
    assert.ok(undo);
    service.fault(() => 'pass');
    await window.writer.undo(undo);
    assert.deepEqual((await stored(id)).labels.generic, ['old']);
  });

  it('is one comment, also where its answer is lost', async () => {
    const { id, target, window, shown } = await open();
    service.fault((request) => (isComment?.(request) ? 'lose' : 'pass'));
    const undo = await window.writer.write({ kind: 'comment', text: 'Seen' }, target);
    assert.equal((await stored(id)).comment.length, 1);
    assert.equal(shown()?.comment.length, 1);
    assert.ok(undo);
    service.fault(() => 'pass');
    await window.writer.undo(undo);
    assert.equal((await stored(id)).comment.length, 0);
  });

  it('files into a case, also where the answer or the alert after it is lost', async () => {
    for (const lost of [
      (request: string) => isItem?.(request),
      (request: string) => request.startsWith('GET /api/v1/hit'),
    ]) {
      const { id, target, window } = await open();
      const { case_id: caseId } = await sendJson(service.program, '/api/v2/case/', { title: 'Lost', summary: 'Lost' });
      service.fault((request) => {
        if (lost(request) !== true) return 'pass';
        return request.startsWith('GET') ? { status: 500 } : 'lose';
      });
      const undo = await window.writer.write({ kind: 'file', caseId }, target);
      assert.deepEqual((await stored(id)).related, [caseId]);
      assert.ok(undo);
      service.fault(() => 'pass');
      await window.writer.undo(undo);
      assert.deepEqual((await stored(id)).related ?? [], []);
    }
  });

  it('is made again where another part of the alert changed, and refused where its triage did', async () => {
    const { id, target, window } = await open();
    await sendJson(service.program, `/api/v1/hit/${id}/comments`, { value: 'Mine now' }, { basic: COLLEAGUE });
    await window.writer.write({ kind: 'promote' }, target);
    assert.equal((await stored(id)).escalation, 'alert');
    const [before] = await service.seen([id], window);
    assert.ok(before);
    const data = { transition: 'assign_to_me' };
    await sendJson(service.program, `/api/v1/hit/${id}/transition`, data, { basic: COLLEAGUE });
    const refused = window.writer.write({ kind: 'take' }, before);
    await assert.rejects(refused, (error) => error instanceof TriageError && error.problem.kind === 'conflict');
    assert.equal(window.copies.read(id)?.alert.howler.assignment, 'user');
    assert.equal((await stored(id)).assignment, 'user');
  });

  it('waits for the one before of the same alert', async () => {
    const { id, target, window } = await open();
    const later = { ...target, seen: { ...target.seen, status: 'in-progress', assignment: 'admin' } } as const;
    await Promise.all([window.writer.write({ kind: 'take' }, target), window.writer.write({ kind: 'promote' }, later)]);
    const { assignment, escalation } = await stored(id);
    assert.deepEqual([assignment, escalation], ['admin', 'alert']);
  });

  it('counts as taken back where the answer of the undo is lost', async () => {
    const { id, target, window, shown } = await open();
    const undo = await window.writer.write({ kind: 'take' }, target);
    assert.ok(undo);
    service.fault((request) => (request.startsWith('PUT') && request.endsWith('/triage') ? 'lose' : 'pass'));
    await window.writer.undo(undo);
    assert.equal((await stored(id)).assignment, 'unassigned');
    assert.equal(shown()?.assignment, 'unassigned');
  });
});
