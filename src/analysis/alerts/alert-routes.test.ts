import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { anAnalysisAlert } from '../../testing/alerts/analysis-alert.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../testing/start-test-program.ts';

const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
const SEEN = unrestricted('the test looks at what is stored');

describe('the routes of alerts of the analysis service', () => {
  let program: TestProgram;
  before(async () => {
    // Without workers: workflows would change the alerts.
    program = await startTestProgram({ settings: { components: ['http'] } });
    const hash = (digit: string) => ({ sha256: digit.repeat(64), sha1: digit.repeat(40), md5: digit.repeat(32) });
    await add('a1', {
      label: ['X'],
      priority: 'LOW',
      file: { ...hash('1'), name: 'a', size: 1, type: 'x' },
      owner: 'eve',
    });
    await add('a2', {
      label: ['X', 'Y'],
      file: { ...hash('1'), name: 'b', size: 1, type: 'x' },
      reporting_ts: time(-60),
    });
    await add('a3', { file: { ...hash('2'), name: 'c', size: 1, type: 'x' }, reporting_ts: time(-7200) });
    await add('new', { reporting_ts: time(-1) });
  });
  after(() => program.close());

  const time = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  async function add(id: string, members: object): Promise<void> {
    const { datastore, classification } = program.foundation;
    const alert = anAnalysisAlert(classification, id, { ...members });
    await datastore.collection(alertDocument).save(id, alert, { visible: 'now' });
  }
  const stored = async (id: string) => {
    const alert = await program.foundation.datastore.collection(alertDocument).get(id, SEEN);
    assert.ok(alert !== undefined);
    return alert;
  };
  const call = (path: string, request: TestRequest = {}) =>
    program.request(`/api/v4/alert/${path}`, { headers: ADMIN, ...request, service: 'analysis' });
  const idsOf = async (path: string) => {
    const { json, text } = await call(path);
    assert.ok(Array.isArray(json.api_response.items), text);
    return json.api_response.items.map(({ alert_id: id }: { alert_id: string }) => id);
  };

  it('list the newest first, without those that workflows have not seen yet', async () => {
    assert.deepEqual(await idsOf('list/'), ['a3', 'a1']);
    assert.deepEqual(await idsOf('list/?no_delay'), ['new', 'a2', 'a3', 'a1']);
    assert.deepEqual(await idsOf('list/?no_delay&tc=1h'), ['new', 'a2']);
    assert.deepEqual(await idsOf(`list/?tc_start=${time(-30)}&tc=1h`), ['a2']);
    assert.deepEqual(await idsOf('list/?no_delay&tc=zz'), []);
    assert.deepEqual(await idsOf(`list/?no_delay&tc=${encodeURIComponent('1h] OR alert_id:[*')}`), []);
    assert.deepEqual(await idsOf('list/?no_delay&q=label:X&fq=label:Y'), ['a2']);
    assert.deepEqual(await idsOf('list/?no_delay&sort=file.name%20asc&rows=1&offset=1'), ['new']);
  });

  it('group by a field, and hint at files that others know', async () => {
    const { json } = await call('grouped/file.sha256/?no_delay&fq=NOT%20alert_id:new');
    const { items, counted_total: counted, total } = json.api_response;
    assert.deepEqual(
      items.map((item: Record<string, unknown>) => [item.alert_id, item.group_count, item.hint_owner]),
      [
        ['a2', 2, true],
        ['a3', 1, false],
      ],
    );
    assert.deepEqual([counted, total], [3, 3]);
  });

  it('count labels, priorities and what people look at', async () => {
    assert.deepEqual((await call('labels/?no_delay')).json.api_response, { X: 2, Y: 1 });
    assert.deepEqual((await call('priorities/?no_delay')).json.api_response, { LOW: 1 });
    const { json } = await call('statistics/?no_delay');
    assert.deepEqual(json.api_response.owner, { eve: 1 });
    assert.deepEqual((await call('related/?fq=label:X')).json.api_response.toSorted(), ['a1', 'a2']);
  });

  it('change all alerts of a query, and return how many', async () => {
    const change = { status: 'assess', labels: ['z'], removed_labels: ['X'] };
    const { json } = await call('all/batch/?q=label:Y', { method: 'POST', json: change });
    assert.deepEqual(json.api_response, { success: 1 });
    const { status, label, events } = await stored('a2');
    assert.deepEqual([status, label], ['ASSESS', ['Y', 'Z']]);
    assert.deepEqual([events.length, events[0]?.entity_id], [1, 'admin']);
    assert.equal((await call('ownership/batch/?q=alert_id:a*')).json.api_response.success, 2);
    assert.deepEqual([(await stored('a1')).owner, (await stored('a3')).owner], ['eve', 'admin']);
  });

  it('add no event where nothing changes', async () => {
    await call('label/a3/', { method: 'POST', json: ['new', 'NEW'] });
    await call('label/a3/', { method: 'POST', json: ['New'] });
    await call('label/a3/', { method: 'DELETE', json: ['OTHER'] });
    await call('priority/a3/', { method: 'POST', json: 'high' });
    await call('priority/a3/', { method: 'POST', json: 'HIGH' });
    const { label, events } = await stored('a3');
    assert.deepEqual([label, events.length], [['NEW'], 2]);
  });

  it('refuse what they cannot do, and change nothing', async () => {
    const refused: readonly (readonly [path: string, request: TestRequest])[] = [
      ['list/?q=((', {}],
      ['list/?rows=x', {}],
      ['list/?rows=20000', {}],
      ['list/?sort=nope%20asc', {}],
      ['list/?sort=ts', {}],
      ['grouped/nofield/', {}],
      ['related/', {}],
      ['label/a1/', { method: 'POST', json: 'X' }],
      ['label/a1/', { method: 'POST', json: [1] }],
      ['label/a1/', { method: 'POST', json: Array.from({ length: 101 }, String) }],
      ['label/a1/', { method: 'POST' }],
      ['priority/a1/', { method: 'POST', json: null }],
      ['status/a1/', { method: 'POST', json: {} }],
      ['status/batch/?q=((', { method: 'POST', json: 'TRIAGE' }],
      ['all/batch/?q=alert_id:a1', { method: 'POST', json: [] }],
      ['all/batch/?q=alert_id:a1', { method: 'POST', json: { status: 'x' } }],
      ['all/a1/', { method: 'POST', json: { status: 'TRIAGE' } }],
      ['verdict/a1/maybe/', { method: 'PUT' }],
      ['ownership/a1/', {}],
    ];
    const before = await stored('a1');
    for (const [path, request] of refused) {
      const answer = await call(path, request);
      assert.equal(Math.floor(answer.status / 100), 4, `${path}: ${answer.status} ${answer.text}`);
      assert.notEqual(answer.json.api_error_message, '');
    }
    assert.deepEqual(await stored('a1'), before);
  });

  it('record one opinion of each user, on all alerts of the submission', async () => {
    await add('same', { sid: 'a1' });
    await call('verdict/a1/malicious/', { method: 'PUT' });
    await call('verdict/a1/non_malicious/', { method: 'PUT' });
    await call('verdict/a1/non_malicious/', { method: 'PUT' });
    for (const id of ['a1', 'same']) {
      assert.deepEqual((await stored(id)).verdict, { malicious: [], non_malicious: ['admin'] });
    }
  });
});
