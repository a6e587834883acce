import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Unavailable } from '../../errors/errors.ts';
import { enforcedClassification as classification } from '../../testing/analysis/enforced-classification.ts';
import { openTestFiles } from '../../testing/analysis/open-test-files.ts';
import { aTask, sentResult } from '../../testing/analysis/result-intake-fixture.ts';
import type { Task, TaskOutcome, TaskPoll } from '../dispatching/task.ts';
import { openLists } from '../lists-resource.ts';
import { openResults } from '../results/open-results.ts';
import { openServices } from '../services/open-services.ts';
import { openSystem } from '../system-resource.ts';
import { createServiceProtocolServer } from './service-protocol-server.ts';

const KEY = 'ThisIsARandomAuthKey...ChangeMe!';
const HEADERS = {
  'X-APIKey': KEY,
  'Container-ID': 'worker-1',
  'Service-Name': 'Mini',
  'Service-Version': '4.7.4.stable25',
  'Service-Tool-Version': '',
};
const MANIFEST = {
  name: 'Mini',
  version: '4.7.4.25',
  enabled: true,
  docker_config: { image: 'none/mini' },
  heuristics: [{ heur_id: 1, name: 'Evil', description: 'Holds EVIL.', filetype: '*', score: 500 }],
};

describe('the protocol for services', () => {
  it('admits workers with the key, and says which header is missing', async (context) => {
    const { call } = await setUp(context);
    assert.equal((await call('GET', '/api/v1/task/', { headers: { Timeout: '0' } })).status, 404);
    for (const key of ['wrong', '']) {
      const refused = await call('GET', '/api/v1/task/', { headers: { 'X-APIKey': key } });
      assert.deepEqual([refused.status, refused.message], [401, 'Unauthorized access denied']);
    }
    for (const name of ['Container-ID', 'Service-Name', 'Service-Version', 'Service-Tool-Version']) {
      const { [name]: _missing, ...headers } = HEADERS as Record<string, string>;
      const refused = await call('GET', '/api/v1/task/', { only: headers });
      assert.deepEqual([refused.status, refused.message], [400, `The header ${name} is missing.`]);
    }
    const { 'Service-Name': _name, ...others } = HEADERS;
    const underscored = await call('GET', '/api/v1/task/', { only: { ...others, Service_Name: 'Mini', Timeout: '0' } });
    assert.equal(underscored.status, 404);
    const bare = await call('GET', '/api/v1/task/', { only: {} });
    assert.equal(bare.status, 401);
  });

  it('accepts the publicly known key on loopback alone, and then registers nothing by itself', async (context) => {
    const open = await setUp(context, { host: '0.0.0.0' });
    assert.equal((await open.call('GET', '/api/v1/safelist/')).status, 401);
    const own = await setUp(context, { host: '0.0.0.0', 'services.api_key': 'own' });
    const headers = { 'X-APIKey': 'own' };
    assert.equal((await own.call('GET', '/api/v1/safelist/')).status, 401);
    assert.equal((await own.call('GET', '/api/v1/safelist/', { headers })).status, 200);
    const refused = await own.call('PUT', '/api/v1/service/register/', { headers, json: MANIFEST });
    assert.equal(refused.status, 401);
    const writing = await setUp(context, {
      host: '0.0.0.0',
      'services.api_key': 'own',
      'analysis.services.registration': 'write',
    });
    assert.equal((await writing.call('POST', '/api/v1/service/register/', { headers, json: MANIFEST })).status, 200);
  });

  it('registers a service, and answers its configuration', async (context) => {
    const { call } = await setUp(context);
    const first = await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    assert.equal(first.status, 200);
    assert.deepEqual([first.data.keep_alive, first.data.new_heuristics], [false, ['MINI.1']]);
    assert.equal(first.data.service_config.timeout, 60);
    assert.deepEqual(first.data.service_config.submission_params, []);
    assert.equal((await call('PUT', '/api/v1/service/register/', { json: MANIFEST })).data.keep_alive, true);
    const wrong = await call('PUT', '/api/v1/service/register/', { json: { ...MANIFEST, heuristics: [{}] } });
    assert.equal(wrong.status, 400);
    assert.match(wrong.message, /Mini has an invalid heuristic \(#0\)/);
    for (const json of [[], 'text', 5, null]) {
      assert.equal((await call('PUT', '/api/v1/service/register/', { json })).status, 400);
    }
  });

  it('hands a task out, gives its file, and takes its result', async (context) => {
    const { call, tasks, outcomes, store } = await setUp(context);
    await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    assert.deepEqual((await call('GET', '/api/v1/task/', { headers: { Timeout: '0.01' } })).data, { task: false });
    const sha256 = await store('EVIL file');
    tasks.push(taskOf(sha256));
    const { data } = await call('GET', '/api/v1/task/');
    assert.equal(data.task.fileinfo.sha256, sha256);
    const file = await call('GET', `/api/v1/file/${sha256}/`);
    assert.equal(file.text, 'EVIL file');
    assert.equal(file.headers.get('content-length'), '9');
    const extracted = [{ name: 'child', sha256: digestOf('child'), description: 'inside', classification: 'TLP:C' }];
    const result = sentResult({ sha256, response: { extracted } });
    const body = { task: withoutUnknown(data.task), result, freshen: true };
    const missing = await call('POST', '/api/v1/task/', { json: body });
    assert.deepEqual(missing.data, { success: false, missing_files: [digestOf('child')] });
    assert.deepEqual((await call('PUT', '/api/v1/file/', upload('child'))).data, { success: true });
    assert.deepEqual((await call('POST', '/api/v1/task/', { json: { ...body, freshen: false } })).data, {
      success: true,
    });
    assert.equal(outcomes[0]?.kind, 'result');
    const again = await call('POST', '/api/v1/task/', { json: body });
    assert.deepEqual(again.data, { success: true });
    assert.equal(outcomes.length, 1);
  });

  it('answers tasks whose result is stored without a worker', async (context) => {
    const { call, tasks, outcomes, store } = await setUp(context);
    await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    const sha256 = await store('same');
    tasks.push(taskOf(sha256));
    const { data } = await call('GET', '/api/v1/task/');
    const body = { task: withoutUnknown(data.task), result: sentResult({ sha256 }), freshen: true };
    await call('POST', '/api/v1/task/', { json: body });
    tasks.push(taskOf(sha256, { task_id: '2' }), taskOf(sha256, { task_id: '3', ignore_cache: true }));
    const next = await call('GET', '/api/v1/task/');
    assert.equal(next.data.task.task_id, '3');
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'result' ? outcome.summary.key.endsWith('.e') : undefined)),
      [true, true],
    );
  });

  it('takes an error, and ignores what comes for a task that was replaced', async (context) => {
    const { call, tasks, outcomes, store, unwanted } = await setUp(context);
    await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    const sha256 = await store('broken');
    tasks.push(taskOf(sha256), taskOf(sha256, { task_id: '2', ignore_cache: true }));
    const response = {
      message: 'no',
      service_name: 'Mini',
      service_version: '4.7.4.25',
      status: 'FAIL_NONRECOVERABLE',
    };
    const error = { response, sha256, type: 'EXCEPTION' };
    const first = withoutUnknown((await call('GET', '/api/v1/task/')).data.task);
    assert.deepEqual((await call('POST', '/api/v1/task/', { json: { task: first, error } })).data, { success: true });
    assert.deepEqual(
      outcomes.map((outcome) => outcome.kind),
      ['error'],
    );
    const second = withoutUnknown((await call('GET', '/api/v1/task/')).data.task);
    unwanted.add('2');
    const result = sentResult({ sha256 });
    assert.deepEqual((await call('POST', '/api/v1/task/', { json: { task: second, result } })).data, { success: true });
    assert.equal(outcomes.length, 1);
  });

  it('refuses what is wrong with a task or its result, and tells no dispatcher', async (context) => {
    const { call, tasks, outcomes, store } = await setUp(context);
    await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    const sha256 = await store('x');
    tasks.push(taskOf(sha256));
    const task = withoutUnknown((await call('GET', '/api/v1/task/')).data.task);
    const result = sentResult({ sha256 });
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ task }, /^No result or error provided by service\.$/],
      [{}, /No result or error/],
      [[], /must be an object/],
      ['text', /must be an object/],
      [{ task: {}, result }, /task\.fileinfo must be an object/],
      [{ task: { ...task, metadata: {} }, result }, /task\.task_id/],
      [{ task: { ...task, service_name: 'Other' }, result }, /the service Other/],
      [{ task, result: {} }, /result\.response/],
      [{ task, result: sentResult() }, /about the file/],
      [{ task, result, freshen: 'yes' }, /freshen/],
      [{ task, error: {} }, /error\.response/],
      [{ task: { ...task, metadata: { task_id__: '99' } }, result: {} }, /result\.response/],
    ];
    for (const [json, message] of wrong) {
      const refused = await call('POST', '/api/v1/task/', { json });
      assert.equal(refused.status, 400);
      assert.match(refused.message, message);
    }
    assert.equal((await call('GET', '/api/v1/task/', { headers: { Timeout: 'soon' } })).status, 400);
    assert.equal(outcomes.length, 0);
  });

  it('refuses uploads that do not fit their headers, and keeps nothing of them', async (context) => {
    const { call, storage } = await setUp(context);
    const mismatch = await call('PUT', '/api/v1/file/', upload('one', { Sha256: digestOf('two') }));
    assert.equal(mismatch.status, 400);
    assert.deepEqual(mismatch.data, { success: false });
    assert.match(mismatch.message, /does not match expected file hash\. \[[0-9a-f]{64} != [0-9a-f]{64}\]/);
    const wrong: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ Sha256: 'short' }, /Sha256/],
      [{ Ttl: 'never' }, /Ttl/],
      [{ Ttl: '-1' }, /Ttl/],
      [{ Classification: 'NOTHING' }, /NOTHING/],
      [{ Sha256: '' }, /Sha256/],
    ];
    for (const [headers, message] of wrong) {
      const refused = await call('PUT', '/api/v1/file/', upload('one', headers));
      assert.equal(refused.status, 400);
      assert.match(refused.message, message);
    }
    const form = new FormData();
    form.set('other', 'text');
    const nothing = await call('PUT', '/api/v1/file/', { ...upload('one'), form });
    assert.deepEqual([nothing.status, nothing.message], [400, 'The form has no file with the name "file".']);
    for (const text of ['one', 'two']) assert.equal(await storage.stat(digestOf(text)), undefined);
    const raw = { ...upload('raw'), form: undefined, body: 'raw' };
    assert.equal((await call('PUT', '/api/v1/file/', raw)).status, 200);
    assert.equal((await storage.stat(digestOf('raw')))?.size, 3);
    const unknown = await call('GET', `/api/v1/file/${digestOf('nothing')}/`);
    assert.deepEqual([unknown.status, unknown.message], [404, 'The file was not found in the system.']);
    assert.equal((await call('GET', '/api/v1/file/x/')).status, 400);
  });

  it('waits with a result for servers to come back, and lets files be sent again', async (context) => {
    const { call, tasks, outcomes, failures, store, storage } = await setUp(context);
    await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    const sha256 = await store('EVIL file');
    tasks.push(taskOf(sha256));
    const { data } = await call('GET', '/api/v1/task/');
    failures.push('wants', 'finish');
    const body = { task: withoutUnknown(data.task), result: sentResult({ sha256 }), freshen: true };
    const answer = await call('POST', '/api/v1/task/', { json: body });
    assert.deepEqual([answer.status, answer.data, outcomes.length], [200, { success: true }, 1]);
    assert.deepEqual(failures, []);

    for (const method of ['put', 'stat'] as const) {
      const works = storage[method];
      storage[method] = async () => {
        throw new Unavailable('file_storage_unavailable', 'The disk is full.');
      };
      await assert.rejects(call('PUT', '/api/v1/file/', upload('child')), 'a refusal makes workers drop their result');
      storage[method] = works as never;
    }
    assert.equal((await call('PUT', '/api/v1/file/', upload('child'))).status, 200);
  });

  it('looks values up in both lists', async (context) => {
    const { call, datastore } = await setUp(context);
    const id = digestOf('safe');
    const entry = {
      type: 'file',
      hashes: { sha256: id },
      sources: [{ name: 'anna', type: 'user', reason: ['known'] }],
    };
    const options = { unknown: 'refuse', classification } as const;
    const { document } = readDocument(safelistDocument, entry, options);
    await datastore.collection(safelistDocument).save(id, document, { visible: 'now' });
    assert.equal((await call('GET', `/api/v1/safelist/${id}/`)).data.enabled, true);
    const missing = await call('GET', `/api/v1/safelist/${digestOf('other')}/`);
    assert.deepEqual([missing.status, missing.data], [404, null]);
    assert.equal((await call('GET', `/api/v1/badlist/${id}/`)).status, 404);
    const { data } = await call('GET', '/api/v1/safelist/?tag_types=network.static.domain');
    assert.deepEqual(Object.keys(data), ['match', 'regex']);
    assert.deepEqual((await call('GET', '/api/v1/safelist/signatures/')).data, []);
    assert.deepEqual((await call('POST', '/api/v1/badlist/tags/', { json: { 'file.behavior': ['x'] } })).data, []);
    for (const kind of ['ssdeep', 'tlsh']) {
      assert.equal((await call('POST', `/api/v1/badlist/${kind}/`, { json: {} })).status, 400);
    }
    assert.equal((await call('POST', '/api/v1/badlist/tlsh/', { json: { tlsh: `T1${'A'.repeat(70)}` } })).status, 404);
    assert.equal((await call('POST', '/api/v1/badlist/tags/', { json: { x: 'y' } })).status, 400);
  });

  it('has both probes, and neither list of versions', async (context) => {
    const { call } = await setUp(context);
    assert.equal((await call('GET', '/healthz/live', { only: {} })).text, 'OK');
    assert.equal((await call('GET', '/healthz/ready', { only: {} })).text, 'OK');
    for (const path of ['/api/', '/api/v1/']) assert.equal((await call('GET', path)).status, 404);
  });

  it('ends the wait of workers when it stops, or when they leave', async (context) => {
    const { call, polls, server } = await setUp(context);
    await call('PUT', '/api/v1/service/register/', { json: MANIFEST });
    const leaving = new AbortController();
    const left = call('GET', '/api/v1/task/', { signal: leaving.signal });
    const waiting = call('GET', '/api/v1/task/');
    while (polls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await assert.rejects(left);
    // Aborted calls leave connections that no request was sent on.
    const cut = setTimeout(() => server.app.server.closeAllConnections(), 500);
    await server.app.close();
    clearTimeout(cut);
    assert.deepEqual((await waiting).data, { task: false });
    assert.ok(polls.every((poll) => poll.signal?.aborted));
  });
});

function taskOf(sha256: string, changes: Partial<Task> = {}): Task {
  const { task_id: id = '1' } = changes;
  const task = aTask({ metadata: { task_id__: id }, ...changes });
  return { ...task, fileinfo: { ...task.fileinfo, sha256 } };
}

/** Returns a task as the client of the public system sends it back. */
function withoutUnknown({ task_id: _id, dispatcher: _dispatcher, ...task }: Record<string, unknown>) {
  return task;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function upload(text: string, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.set('file', new Blob([text]), 'extracted');
  const usual = { Sha256: digestOf(text), Classification: 'TLP:C', Ttl: '2', 'Is-Supplementary': 'False' };
  return { form: form as FormData | undefined, headers: { ...usual, ...headers } };
}

interface Call {
  readonly headers?: Record<string, string>;
  /** Sent instead of the usual headers. */
  readonly only?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: FormData | undefined;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

async function setUp(context: TestContext, settings: Record<string, unknown> = {}) {
  const config = loadConfig({
    environment: { SVC_CONF_FOLDER: import.meta.dirname },
    flags: settings,
  });
  const opened = await openTestFiles();
  const { files, storage, datastore, coordination, collection: fileRecords } = opened;
  const log = { info() {}, warn() {}, error() {} };
  const parts = { datastore, coordination, classification, settings: config, log };
  const { registry, heuristics } = openServices(parts);
  const lists = openLists({ ...parts, values: openSystem(parts).values });
  const tasks: Task[] = [];
  const polls: TaskPoll[] = [];
  const outcomes: TaskOutcome[] = [];
  const unwanted = new Set<string>();
  /** Calls of the dispatcher that fail once because a server is away. */
  const failures: string[] = [];
  const failOnce = (name: string) => {
    const index = failures.indexOf(name);
    if (index === -1) return;
    failures.splice(index, 1);
    throw new Unavailable('coordination_unavailable', 'Redis is away.');
  };
  const dispatcher = {
    async nextTask(poll: TaskPoll) {
      polls.push(poll);
      const task = tasks.shift();
      if (task !== undefined || poll.signal?.aborted) return task;
      return new Promise<undefined>((resolve) => {
        const end = () => resolve(undefined);
        poll.signal?.addEventListener('abort', end, { once: true });
        setTimeout(end, poll.wait).unref();
      });
    },
    async finish(_task: object, outcome: TaskOutcome) {
      failOnce('finish');
      outcomes.push(outcome);
      return 'accepted' as const;
    },
    async wants({ task_id: id }: { readonly task_id: string }) {
      failOnce('wants');
      return !unwanted.has(id);
    },
    release: async () => undefined,
  };
  const intake = openResults({ ...parts, files, fileRecords, storage, heuristics, safelist: lists.lookup, dispatcher });
  const server = createServiceProtocolServer({
    ...parts,
    version: '0.0.0-test',
    checks: [],
    registry,
    dispatcher,
    intake,
    files,
    storage,
    lookup: lists.lookup,
    similar: lists.similar,
  });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await server.app.close();
    await registry.close();
    await opened.close();
  });
  const call = async (method: string, path: string, { headers, only, json, form, body, signal }: Call = {}) => {
    const sent = new Headers(only ?? { ...HEADERS, ...headers });
    if (json !== undefined) sent.set('content-type', 'application/json');
    const content = json === undefined ? (form ?? body) : JSON.stringify(json);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: sent,
      ...(content === undefined ? {} : { body: content }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const { api_response: data, api_error_message: message = '' } = isJson ? JSON.parse(text) : {};
    return { status: answer.status, headers: answer.headers, text, data, message: message as string };
  };
  const store = async (text: string) => {
    const received = await files.receive(Buffer.from(text));
    const info = await files.describe(received, { fuzzy: true });
    await files.saveOrFreshen(info, { expiry: undefined, classification: 'TLP:C' });
    return received.sha256;
  };
  return { call, tasks, polls, outcomes, unwanted, failures, store, storage, datastore, server };
}
