import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { unrestricted } from '../datastore/port/read-access.ts';
import { alertDocument } from '../documents/kinds/analysis/alert.ts';
import { openParts } from '../testing/analysis/parts-fixture.ts';
import { until } from '../testing/until.ts';

const ACCESS = unrestricted('a test looks at what is stored');
const tagged = {
  result: {
    sections: [{ title_text: 'T', body: 'b', body_format: 'TEXT', depth: 0, tags: { file: { behavior: ['exist'] } } }],
  },
};

describe('actions after an analysis', () => {
  it('filter: raises an alert for submissions of the submitter that it names', async (context) => {
    const { register, submit, work, completed, alerts, setActions } = await setUp(context);
    await setActions({ filter: 'params.submitter: ada', raise_alert: true });
    await register('A');
    const sids = [];
    for (const submitter of ['ada', 'bob']) {
      const sid = await submit('a.txt', Buffer.from(submitter), { submitter, generate_alert: true });
      await work('A', tagged);
      assert.equal((await completed(sid)).results.length, 1);
      sids.push(sid);
    }
    const [alert] = await alerts(1);
    assert.deepEqual([alert?.sid, alert?.extended_scan], [sids[0], 'skipped']);
  });

  it('tag filter: raises an alert where a result has the tag', async (context) => {
    const { register, submit, work, completed, alerts, setActions } = await setUp(context);
    await setActions({ filter: 'tags.file.behavior: exist', raise_alert: true });
    await register('A');
    const without = await submit('a.txt', Buffer.from('without'), { generate_alert: true });
    await work('A');
    await completed(without);
    const sid = await submit('a.txt', Buffer.from('with'), { generate_alert: true });
    await work('A', tagged);
    await completed(sid);
    assert.deepEqual(
      (await alerts(1)).map((alert) => alert.sid),
      [sid],
    );
  });

  it('resubmit: analyses again with more services, and the alert says so until it is done', async (context) => {
    const { register, submit, work, completed, alerts, submissions, setActions } = await setUp(context);
    await setActions({
      filter: 'params.submitter: ada',
      raise_alert: true,
      resubmit: { additional_services: ['Deep', 'Deeper'] },
    });
    for (const name of ['First', 'Deep', 'Deeper']) await register(name);
    const services = { selected: ['First'] };
    const sid = await submit('a.txt', Buffer.from('text'), { generate_alert: true, services });
    await work('First', tagged);
    assert.equal((await completed(sid)).results.length, 1);
    const [alert] = await alerts(1);
    assert.deepEqual([alert?.sid, alert?.extended_scan], [sid, 'submitted']);
    const { sid: deeper } = await work('Deep');
    await work('Deeper');
    // The worker of this test does not look results up; those of the protocol and the analyzers do.
    await work('First', tagged);
    assert.notEqual(deeper, sid);
    const second = await completed(deeper);
    assert.deepEqual([second.results.length, second.errors.length, second.params.psid], [3, 0, sid]);
    await until('the alert knows the deeper scan', async () => (await alerts(1))[0]?.extended_scan === 'completed');
    assert.equal((await alerts(1))[0]?.sid, deeper);
    assert.equal(await submissions.count({ query: { kind: 'all' } }, ACCESS), 2);
  });
});

async function setUp(context: TestContext) {
  const fixture = await openParts(context, { flags: { 'analysis.analyzers.enabled': 'none' } });
  const collection = fixture.datastore.collection(alertDocument);
  return {
    ...fixture,
    setActions: (action: object) =>
      fixture.parts.system.values.set(
        'actions',
        JSON.stringify({ only: { enabled: true, run_on_completed: true, ...action } }),
      ),
    /** Waits for that many alerts. */
    async alerts(count: number) {
      await until(`there are ${count} alerts`, async () => {
        return (await collection.count({ query: { kind: 'all' } }, ACCESS)) === count;
      });
      return (await collection.search({ query: { kind: 'all' }, rows: 10 }, ACCESS)).items.map(
        ({ document }) => document,
      );
    },
  };
}
