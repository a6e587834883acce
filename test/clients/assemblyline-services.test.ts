import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../src/testing/analysis/analysis-program.ts';
import { ENFORCED_CLASSIFICATION } from '../../src/testing/analysis/enforced-classification.ts';
import { until } from '../../src/testing/until.ts';
import { type RunningService, servicePython, startRecordedServices, startService } from './analysis-services.ts';

const PROBE = join(import.meta.dirname, 'probe-service');
/** A checkout of CybercentreCanada/assemblyline-v4-service, whose package leaves its example out. */
const { ASSEMBLYLINE_SERVICE_FOLDER: CHECKOUT } = process.env;
const HIGH = 'TLP:AMBER+STRICT';

describe('services with the public packages', async () => {
  const environment = await servicePython();
  if ('reason' in environment) {
    it('scan files: not run', { skip: environment.reason });
    return;
  }
  const { python } = environment;
  const services: RunningService[] = [];
  let program: AnalysisTestProgram;
  let folder: string;

  const startProbe = () => {
    const definition = { PROBE_CLASSIFICATION: join(folder, 'classification.yml') };
    const url = program.urls.services;
    return startService({ python, url, folder: PROBE, path: 'probe.Probe', environment: definition });
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'triad-services-'));
    await writeFile(join(folder, 'classification.yml'), ENFORCED_CLASSIFICATION);
    program = await startAnalysisTestProgram({ settings: { 'analysis.analyzers.enabled': 'none' } });
    await program.saveUser('admin', { type: ['admin'], classification: HIGH });
    await program.saveUser('low', { classification: 'TLP:CLEAR' });
    const probe = startProbe();
    services.push(...(await startRecordedServices(python, program.urls.services)), await probe);
  });
  after(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await program.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (path: string, json?: unknown, uname = 'admin') => {
    const answer = await program.as(uname, path, json === undefined ? {} : { method: 'POST', json });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.api_response;
  };
  const submit = async (plaintext: string, selected: readonly string[]): Promise<string> => {
    const params = { classification: 'TLP:CLEAR', services: { selected }, ignore_cache: true };
    return (await ask('/api/v4/submit/', { plaintext, name: 'a.txt', params })).sid;
  };
  const completed = async (sid: string) => {
    await until('the submission is complete', () => ask(`/api/v4/submission/is_completed/${sid}/`), 60_000);
    return ask(`/api/v4/submission/full/${sid}/`);
  };
  const analyse = async (plaintext: string, selected: readonly string[]) =>
    completed(await submit(plaintext, selected));
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  const resultsOf = (submission: any, service: string): any[] =>
    // biome-ignore lint/suspicious/noExplicitAny: results of every shape
    Object.values<any>(submission.results).filter((result) => result.response.service_name === service);
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  const sectionsOf = (submission: any, service: string): any[] =>
    resultsOf(submission, service).flatMap((result) => result.result.sections);
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  const titlesOf = (submission: any): string[] => sectionsOf(submission, 'Probe').map((section) => section.title_text);
  /** Files that the probe worked on, in this order. */
  const runs = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');

  it('register, and show in the list of services', async () => {
    const list: readonly { readonly name: string; readonly version: string }[] = await ask('/api/v4/service/all/');
    assert.deepEqual(
      list.map(({ name, version }) => [name, version]),
      ['Mini', 'Probe', 'Unpack'].map((name) => [name, '4.7.4.25']),
    );
    assert.equal((await ask('/api/v4/heuristics/MINI.1/')).score, 500);
  });

  it('scan a file end to end', async () => {
    const found = await analyse('EVIL\nscore=300\nnetwork.static.ip=192.0.2.7\n', ['Mini', 'Unpack']);
    assert.equal(found.state, 'completed');
    assert.equal(found.max_score, 800);
    assert.equal(found.error_count, 0);
    assert.equal(found.results && Object.keys(found.results).length, 2);
    const [heuristic] = sectionsOf(found, 'Mini').map((section) => section.heuristic);
    assert.deepEqual([heuristic.heur_id, heuristic.score], ['MINI.1', 500]);
  });

  it('extract children, which are scanned too', async () => {
    const found = await analyse('child=one\nchild=two\n', ['Probe', 'Mini']);
    assert.equal(found.file_count, 3);
    assert.equal(sectionsOf(found, 'Mini').length, 3);
    const [root] = Object.values<{ children: Record<string, { name: string[] }> }>(found.file_tree);
    const names = Object.values(root?.children ?? {}).flatMap(({ name }) => name);
    assert.deepEqual(names.toSorted(), ['one', 'two']);
  });

  it('leave a result partial while what they wait for does not come, and run once', async () => {
    const count = join(folder, 'partial');
    const found = await analyse(`locked=swordfish\npassword=other\ncount=${count}\n`, ['Probe']);
    const [result, ...more] = resultsOf(found, 'Probe');
    assert.deepEqual([result.partial, more.length, found.error_count], [true, 0, 0]);
    // What the file itself says changed the monitored key, which makes the service look once more.
    assert.equal(runs(count).length, 2);
    const silent = join(folder, 'silent');
    await analyse(`locked=swordfish\ncount=${silent}\n`, ['Probe']);
    assert.equal(runs(silent).length, 1);
  });

  it('run again over a partial result when a child brings what they monitor', async () => {
    const count = join(folder, 'monitored');
    const found = await analyse(`locked=swordfish\nchild=password=swordfish\ncount=${count}\n`, ['Probe']);
    assert.equal(runs(count).length, 2);
    assert.deepEqual(new Set(runs(count)).size, 1);
    assert.ok(titlesOf(found).includes('Opened'));
    assert.deepEqual(
      resultsOf(found, 'Probe').map(({ partial }) => partial),
      [false, false],
    );
    assert.equal(found.error_count, 0);
  });

  it('hand temporary data on to files that come after it', async () => {
    const count = join(folder, 'handed-on');
    const child = `locked=tulip`;
    const found = await analyse(`password=tulip\nchild=${child}\ncount=${count}\n`, ['Probe']);
    assert.deepEqual(titlesOf(found).toSorted(), ['Opened', 'Password']);
    assert.equal(runs(count).length, 1);
  });

  it('classify sections, which users below them do not see', async () => {
    const sid = await submit(`classified=${HIGH}\ntag=192.0.2.9\n`, ['Probe']);
    assert.deepEqual(titlesOf(await completed(sid)), ['Secret', 'Tag']);
    for (const form of ['full/', 'summary/', 'report/', 'tree/', '']) {
      const text = JSON.stringify(await ask(`/api/v4/submission/${form}${sid}/`, undefined, 'low'));
      assert.ok(!/secret|for few/i.test(text), `${form}: ${text}`);
    }
    const shown = titlesOf(await ask(`/api/v4/submission/full/${sid}/`, undefined, 'low'));
    assert.deepEqual(shown, ['WARNING: Service sections have been sanitized', 'Tag']);
    const query = 'result.sections.tags.network.static.domain:secret.example.com';
    const search = `/api/v4/search/result/?query=${query}`;
    assert.equal((await ask(search)).total, 1);
    assert.equal((await ask(search, undefined, 'low')).total, 0);
  });

  it('report a failure for good, and the others go on', async () => {
    const found = await analyse('fail-forever\nEVIL\n', ['Mini', 'Unpack']);
    assert.equal(found.error_count, 1);
    assert.equal(found.max_score, 500);
  });

  it('get a task again whose worker was killed in the middle of it', async () => {
    const mark = join(folder, 'begun');
    const sid = await submit(`sleep=${mark}\ntag=192.0.2.9\n`, ['Probe']);
    await until('the worker works', () => existsSync(mark), 30_000);
    await services.pop()?.kill();
    services.push(await startProbe());
    const found = await completed(sid);
    assert.equal(found.error_count, 0);
    assert.equal(found.max_score, 100);
  });

  const reason = 'ASSEMBLYLINE_SERVICE_FOLDER names no checkout of assemblyline-v4-service';
  it('run the example of the package: ResultSample', { skip: CHECKOUT === undefined && reason }, async () => {
    const example = join(CHECKOUT ?? '', 'assemblyline_result_sample_service');
    const url = program.urls.services;
    services.push(await startService({ python, url, folder: example, path: 'result_sample.ResultSample' }));
    const found = await analyse('an example\n', ['ResultSample']);
    assert.deepEqual([found.state, found.error_count], ['completed', 0]);
    const sections = sectionsOf(found, 'ResultSample');
    const formats = new Set(sections.map(({ body_format }) => body_format));
    for (const format of ['TEXT', 'GRAPH_DATA', 'URL', 'MEMORY_DUMP', 'KEY_VALUE', 'JSON', 'TABLE', 'PROCESS_TREE']) {
      assert.ok(formats.has(format), `${format} of ${[...formats].join(', ')}`);
    }
    assert.ok(found.file_count > 1);
    // 10 + 5 x 20 + 2 x 30 + 40, as its text says.
    const text = sections.find(({ title_text }) => title_text === 'Example of a default section');
    assert.equal(text.heuristic.score, 210);
    assert.ok(text.heuristic.attack.length > 0);
    const images = sections.filter(({ body_format }) => body_format === 'IMAGE').flatMap(({ body }) => body);
    assert.ok(images.length > 0);
    for (const { img } of images) {
      const shown = await program.as('admin', `/api/v4/file/image/${img.sha256}/`);
      assert.equal(shown.status, 200);
    }
  });
});
