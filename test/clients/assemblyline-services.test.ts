import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';
import { startAnalysisProgram } from '../golden/analysis-program.ts';
import { type RunningService, servicePython, startRecordedServices, startService } from './analysis-services.ts';

const PROBE = join(import.meta.dirname, 'probe-service');
const HEADERS = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };

describe('services with the public packages', async () => {
  const environment = await servicePython();
  if ('reason' in environment) {
    it('scan files: not run', { skip: environment.reason });
    return;
  }
  const { python } = environment;
  const services: RunningService[] = [];
  let program: TestProgram;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'triad-services-'));
    program = await startAnalysisProgram({ 'analysis.analyzers.enabled': 'none' });
    const probe = startService({ python, url: program.urls.services, folder: PROBE, path: 'probe.Probe' });
    services.push(...(await startRecordedServices(python, program.urls.services)), await probe);
  });
  after(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await program.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (path: string, json?: unknown) => {
    const method = json === undefined ? 'GET' : 'POST';
    const options = { service: 'analysis', headers: HEADERS, method } as const;
    const answer = await program.request(path, json === undefined ? options : { ...options, json });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.api_response;
  };
  const analyse = async (plaintext: string, selected: readonly string[]) => {
    const params = { services: { selected }, ignore_cache: true };
    const { sid } = await ask('/api/v4/submit/', { plaintext, name: 'a.txt', params });
    await until('the submission is complete', () => ask(`/api/v4/submission/is_completed/${sid}/`));
    return ask(`/api/v4/submission/full/${sid}/`);
  };
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  const sectionsOf = (submission: any, service: string): any[] =>
    // biome-ignore lint/suspicious/noExplicitAny: results of every shape
    Object.values<any>(submission.results)
      .filter((result) => result.response.service_name === service)
      .flatMap((result) => result.result.sections);

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
  });

  it('hand on temporary data, and scan again what was partial when it changes', async () => {
    const found = await analyse('locked=swordfish\nchild=password=swordfish\npassword=swordfish\n', ['Probe']);
    assert.ok(sectionsOf(found, 'Probe').some((section) => section.title_text === 'Password'));
  });

  it('report a failure for good, and the others go on', async () => {
    const found = await analyse('fail-forever\nEVIL\n', ['Mini', 'Unpack']);
    assert.equal(found.error_count, 1);
    assert.equal(found.max_score, 500);
  });

  it('get a task again whose worker was killed in the middle of it', async () => {
    const mark = join(folder, 'begun');
    const params = { services: { selected: ['Probe'] }, ignore_cache: true };
    const { sid } = await ask('/api/v4/submit/', {
      plaintext: `sleep=${mark}\ntag=192.0.2.9\n`,
      name: 'b.txt',
      params,
    });
    await until('the worker works', () => existsSync(mark));
    await services.pop()?.kill();
    services.push(await startService({ python, url: program.urls.services, folder: PROBE, path: 'probe.Probe' }));
    await until('the submission is complete', () => ask(`/api/v4/submission/is_completed/${sid}/`));
    const found = await ask(`/api/v4/submission/full/${sid}/`);
    assert.equal(found.error_count, 0);
    assert.equal(found.max_score, 100);
  });
});
