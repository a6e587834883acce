import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import type { RecentUser } from '../../identity/user-store.ts';
import { BRANCHES } from '../../testing/branches-classification.ts';
import { AlertChanges } from './alert-changes.ts';
import { type AlertEvent, Alerter, type AlertMessage } from './alerter.ts';
import { SubmissionSummaries } from './submission-summaries.ts';

const SHA = 'ab'.repeat(32);
const PICTURE = 'cd'.repeat(32);
const SEEN = unrestricted('the test looks at what is stored');
const VERDICTS = { info: 0, suspicious: 300, highly_suspicious: 700, malicious: 1000 };

describe('Alerter', () => {
  it('tells who is behind a file, what it does and whom it calls, with the worst verdict of each value', async (context) => {
    const { raise, addResult, stored } = await setUp(context);
    await addResult('one', [
      section({
        score: 500,
        tags: {
          attribution: { family: ['ALFAM'], actor: ['BEAR'], exploit: ['CVE-1'] },
          file: { config: ['beacon'], behavior: ['writes'], rule: { yara: ['rule1'] } },
          technique: { obfuscation: ['xor'] },
          av: { virus_name: ['Trojan.X', 'Password-protected'] },
          network: {
            static: { domain: ['evil.example'], ip: ['198.51.100.1'] },
            dynamic: { uri: ['http://a.example/x'] },
          },
        },
        safelisted_tags: { 'network.static.domain': ['good.example'] },
      }),
      section({ score: 1000, name: 'Worst', tags: { network: { static: { domain: ['evil.example'] } } } }),
    ]);
    await raise();
    const { al, attack, heuristic } = await stored();
    assert.deepEqual([...al.attrib].sort(), ['ALFAM [IMP]', 'BEAR [TA]', 'CVE-1 [EXP]', 'beacon [CFG]', 'xor [OB]']);
    assert.deepEqual(al.av, ['Trojan.X']);
    assert.deepEqual([...al.behavior].sort(), ['Password-protected', 'writes']);
    assert.deepEqual(al.yara, ['rule1']);
    assert.deepEqual([al.domain, al.domain_static, al.domain_dynamic], [['evil.example'], ['evil.example'], []]);
    assert.deepEqual(
      [al.ip, al.uri, al.uri_dynamic],
      [['198.51.100.1'], ['http://a.example/x'], ['http://a.example/x']],
    );
    assert.deepEqual(al.detailed.domain, [
      { type: 'network.static.domain', value: 'evil.example', verdict: 'malicious' },
    ]);
    assert.deepEqual(heuristic.name, ['Worst', 'Found']);
    assert.deepEqual(attack, { pattern: ['Phishing'], category: ['initial-access'] });
  });

  it('leaves out what the submitter may not see', async (context) => {
    const { raise, addResult, stored, setClearance } = await setUp(context);
    const tags = (name: string) => ({ file: { behavior: [name] } });
    await addResult('one', [section({ tags: tags('seen') }), section({ tags: tags('hidden'), classification: 'L2' })]);
    setClearance('L1');
    await raise();
    const alert = await stored();
    assert.deepEqual([alert.al.behavior, alert.filtered], [['seen'], true]);
    setClearance('L2');
    await raise();
    assert.deepEqual((await stored()).al.behavior.toSorted(), ['hidden', 'seen']);
  });

  it('shows the screenshots that a service found in the submitted file', async (context) => {
    const { raise, addResult, stored } = await setUp(context);
    const picture = { name: 'page', description: 'First page', sha256: PICTURE };
    const body = JSON.stringify([{ img: picture, thumb: picture }, { img: 1 }, null]);
    await addResult('one', [section({ body, body_format: 'IMAGE', promote_to: 'SCREENSHOT' })]);
    await addResult('two', [section({ body: 'broken', body_format: 'IMAGE', promote_to: 'SCREENSHOT' })]);
    await raise();
    assert.deepEqual((await stored()).file.screenshots, [
      { name: 'page', description: 'First page', img: PICTURE, thumb: PICTURE },
    ]);
  });

  it('merges a later message, regardless of what people did meanwhile, and asks workflows to look again', async (context) => {
    const { raise, addResult, stored, changes, alerts, events } = await setUp(context);
    await addResult('one', [section({ tags: { file: { behavior: ['first'] } } })]);
    await raise({ extendedScan: 'submitted' });
    const ada = { username: 'ada', name: 'Ada', searchAccess: SEEN };
    await changes.change(ada, 'ingest1', { status: 'MALICIOUS', labels: ['MINE'] });
    await changes.own(ada, 'ingest1');
    await alerts.update('ingest1', [{ op: 'set', path: 'workflows_completed', value: true }]);
    await addResult('two', [section({ score: 2000, tags: { file: { behavior: ['second'] } } })]);
    await raise({ score: 2500, metadata: { ingest_id: 'ingest1', more: 'x' }, extendedScan: 'skipped' });
    const alert = await stored();
    assert.deepEqual([...alert.al.behavior].sort(), ['first', 'second']);
    assert.deepEqual([alert.al.score, alert.extended_scan], [2500, 'skipped']);
    assert.deepEqual([alert.status, alert.label, alert.owner], ['MALICIOUS', ['MINE'], 'ada']);
    assert.equal(alert.events.length, 1);
    assert.equal(alert.workflows_completed, false);
    assert.equal(alert.metadata.more, 'x');
    assert.deepEqual(
      events.map(({ msg_type }) => msg_type),
      ['AlertCreated', 'AlertUpdated'],
    );
  });

  it('knows a deeper scan as incomplete when it failed where the first one did not', async (context) => {
    const { raise, stored, addSubmission } = await setUp(context);
    await addSubmission('deeper', { psid: 'sid1', errors: [`${SHA}.A.v1.c0.e1`] });
    await raise({ sid: 'deeper' });
    assert.equal((await stored()).extended_scan, 'incomplete');
    await addSubmission('sid1', { errors: [`${SHA}.A.v1.c0.e20`] });
    await raise({ sid: 'deeper' });
    const alert = await stored();
    assert.equal(alert.extended_scan, 'completed');
    assert.deepEqual(alert.submission_relations, [{ child: 'deeper', parent: 'sid1' }]);
  });

  it('makes one alert of messages that come twice or at the same time, and none of what is deleted', async (context) => {
    const { raise, addResult, stored, alerts, deleteSubmission } = await setUp(context);
    await addResult('one', [section({ tags: { file: { behavior: ['x'] } } })]);
    await Promise.all([raise(), raise(), raise()]);
    assert.deepEqual((await stored()).al.behavior, ['x']);
    assert.equal(await alerts.count({ query: { kind: 'all' } }, SEEN), 1);
    await deleteSubmission();
    await raise({ metadata: { ingest_id: 'other' } });
    assert.equal(await alerts.get('other', SEEN), undefined);
  });

  it('takes type and time of the metadata where they can be read', async (context) => {
    const { raise, stored } = await setUp(context);
    await raise({ metadata: { ingest_id: 'ingest1', type: 'MAIL', ts: '2020-01-01T00:00:00Z', subject: 'x' } });
    const { type, ts, metadata } = await stored();
    assert.deepEqual(
      { type, ts, metadata },
      {
        type: 'MAIL',
        ts: '2020-01-01T00:00:00.000000Z',
        metadata: { ingest_id: 'ingest1', subject: 'x' },
      },
    );
  });
});

function section({
  score = 100,
  name = 'Found',
  ...more
}: Record<string, unknown> & { score?: number; name?: string }) {
  const attack = [{ attack_id: 'T1566', pattern: 'Phishing', categories: ['initial-access'] }];
  return {
    body_format: 'TEXT',
    classification: 'L0',
    depth: 0,
    title_text: 'Title',
    heuristic: { heur_id: `A.${score}`, name, score, attack, signature: [] },
    tags: {},
    ...more,
  };
}

/** The alerter on the embedded datastore in memory, with a submission `sid1`, with enforcement. */
async function setUp(context: TestContext) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'alerter' });
  context.after(() => datastore.close());
  const classification = loadClassification(BRANCHES);
  const alerts = datastore.collection(alertDocument);
  const submissions = datastore.collection(submissionDocument);
  const files = datastore.collection(fileDocument);
  const results = datastore.collection(resultDocument);
  const events: AlertEvent[] = [];
  const log = { info() {}, warn() {}, error() {} };
  let clearance = 'L2';
  const user = (uname: string) => ({ uname, classification: clearance, groups: [] }) as unknown as RecentUser;
  const users = { recent: async (username: string) => user(username) };
  const summaries = new SubmissionSummaries({ results, files, users, classification, verdicts: VERDICTS, log });
  const alerter = new Alerter({
    alerts,
    submissions,
    files,
    summarise: (submission) => summaries.forSubmitter(submission),
    classification,
    publish: async (event) => void events.push(event),
    log,
    daysToLive: 90,
  });
  const options = { unknown: 'drop', classification } as const;
  const keys: string[] = [];
  const addSubmission = async (sid: string, { psid, errors = [] }: { psid?: string; errors?: string[] } = {}) => {
    const params = { submitter: 'ada', description: 'x', classification: 'L0', psid };
    const counts = { error_count: errors.length, file_count: 1, max_score: 0 };
    const files = [{ name: 'a.exe', sha256: SHA, size: 1 }];
    const input = { sid, params, errors, results: keys, files, state: 'completed', classification: 'L0', ...counts };
    await submissions.save(sid, readDocument(submissionDocument, input, options).document, { visible: 'now' });
  };
  const file = {
    ascii: '.',
    hex: '00',
    magic: 'data',
    size: 1,
    type: 'unknown',
    entropy: 1,
    seen: {},
    classification: 'L0',
  };
  const hashes = { md5: 'ab'.repeat(16), sha1: 'ab'.repeat(20), sha256: SHA, ssdeep: '3:a:b', tlsh: 'T1' };
  await files.save(SHA, readDocument(fileDocument, { ...file, ...hashes }, options).document);
  await addSubmission('sid1');
  return {
    alerts,
    events,
    addSubmission,
    deleteSubmission: () => submissions.delete('sid1'),
    changes: new AlertChanges({ alerts, submissions, classification }),
    setClearance(level: string) {
      clearance = level;
    },
    async addResult(name: string, sections: readonly object[]) {
      const key = `${SHA}.${name}.v1.c0`;
      keys.push(key);
      const response = { service_name: name, service_version: '1' };
      const input = { sha256: SHA, classification: 'L0', response, result: { score: 0, sections } };
      await results.save(key, readDocument(resultDocument, input, options).document);
      await addSubmission('sid1');
    },
    raise(message: Partial<AlertMessage> = {}) {
      const files = [{ name: 'a.exe', sha256: SHA }];
      return alerter.raise({
        sid: 'sid1',
        score: 500,
        extendedScan: 'skipped',
        metadata: { ingest_id: 'ingest1' },
        files,
        submittedAt: '2026-01-02T03:04:05.000000Z',
        ...message,
      });
    },
    async stored() {
      const alert = await alerts.get('ingest1', SEEN);
      assert.ok(alert !== undefined);
      return alert;
    },
  };
}
