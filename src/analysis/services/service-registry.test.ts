import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { serviceDocument } from '../../documents/kinds/analysis/service.ts';
import { serviceDeltaDocument } from '../../documents/kinds/analysis/service-delta.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { until } from '../../testing/until.ts';
import { SERVICE_EVENTS, ServiceRegistry } from './service-registry.ts';

const ACCESS = unrestricted('a test looks at what is stored');
const PARAMETER = { name: 'depth', type: 'int', default: 3, value: 3 };
const HEURISTIC = { heur_id: 1, name: 'Evil', description: 'Holds EVIL.', filetype: '*', score: 500 };

const manifest = (changes: object = {}) => ({
  name: 'Mini',
  version: '4.7.4.stable25',
  enabled: true,
  category: 'Static Analysis',
  file_required: true,
  tool_version: 'tools 1',
  docker_config: { image: 'none/mini', environment: [{ name: 'LIMIT', value: 5 }] },
  submission_params: [PARAMETER],
  config: { first: 1 },
  heuristics: [HEURISTIC],
  ...changes,
});

describe('ServiceRegistry', () => {
  it('stores a new service, and tells its first worker to start again', async (context) => {
    const { registry } = await setUp(context);
    const first = await registry.register(manifest(), { origin: 'protocol' });
    assert.equal(first.keepAlive, false);
    assert.deepEqual(first.newHeuristics, ['MINI.1']);
    assert.equal(first.service.version, '4.7.4.25');
    assert.equal(first.service.update_channel, 'rc');
    assert.equal(first.service.docker_config.registry_type, 'harbor');
    assert.equal(first.service.docker_config.environment[0]?.value, '5');
    assert.equal(first.service.submission_params[0]?.default, 3);
    const again = await registry.register(manifest(), { origin: 'protocol' });
    assert.deepEqual([again.keepAlive, again.newHeuristics], [true, []]);
    assert.deepEqual(await registry.versions('Mini'), ['4.7.4.25']);
    assert.deepEqual(
      (await registry.enabled()).map((service) => service.name),
      ['Mini'],
    );
  });

  it('tells exactly one of several workers that start together', async (context) => {
    const { registry } = await setUp(context);
    const together = [1, 2, 3, 4].map(() => registry.register(manifest(), { origin: 'protocol' }));
    const kept = (await Promise.all(together)).map((registration) => registration.keepAlive);
    assert.deepEqual(kept.toSorted(), [false, true, true, true]);
  });

  it('keeps another version beside the one that runs', async (context) => {
    const { registry } = await setUp(context);
    await registry.register(manifest(), { origin: 'protocol' });
    const next = await registry.register(manifest({ version: '4.7.5.dev1' }), { origin: 'protocol' });
    assert.equal(next.keepAlive, false);
    assert.equal(next.service.version, '4.7.4.25');
    assert.deepEqual(await registry.versions('Mini'), ['4.7.4.25', '4.7.5.dev1']);
  });

  it('adds new parameters and settings to those that the installation changed', async (context) => {
    const { registry, deltas } = await setUp(context);
    await registry.register(manifest(), { origin: 'protocol' });
    const changed = { ...PARAMETER, default: 9, value: 9 };
    await saveDelta(deltas, { version: '4.7.4.25', config: { first: 2 }, submission_params: [changed] });
    const other = { name: 'mode', type: 'str', default: 'fast', value: 'fast' };
    const { service } = await registry.register(
      manifest({ submission_params: [PARAMETER, other], config: { first: 1, second: 1 } }),
      { origin: 'protocol' },
    );
    assert.deepEqual(service.config, { first: 2, second: 1 });
    assert.deepEqual(
      service.submission_params.map((one) => [one.name, one.default]),
      [
        ['depth', 9],
        ['mode', 'fast'],
      ],
    );
  });

  it('leaves the changes of the installation alone where a version brings nothing new', async (context) => {
    const { registry, deltas } = await setUp(context);
    await registry.register(manifest(), { origin: 'protocol' });
    await saveDelta(deltas, { version: '4.7.4.25', enabled: false, docker_config: { ram_mb: 1024 } });
    const { service } = await registry.register(manifest(), { origin: 'protocol' });
    assert.equal(service.enabled, false);
    assert.equal(service.docker_config.ram_mb, 1024);
    assert.equal(service.docker_config.image, 'none/mini');
  });

  it('stores heuristics with their statistics, and says which are new or changed', async (context) => {
    const { registry, heuristics } = await setUp(context);
    await registry.register(manifest(), { origin: 'protocol' });
    await heuristics.update('MINI.1', [{ op: 'set', path: 'stats.count', value: 7 }], { visible: 'now' });
    const second = { ...HEURISTIC, heur_id: 'two', attack_id: 'T1027' };
    const { newHeuristics } = await registry.register(
      manifest({ heuristics: [{ ...HEURISTIC, score: 400 }, second] }),
      { origin: 'protocol' },
    );
    assert.deepEqual(newHeuristics, ['MINI.1', 'MINI.two']);
    const [one, two] = await heuristics.getMany(['MINI.1', 'MINI.two'], ACCESS);
    assert.deepEqual([one?.score, one?.stats.count, two?.attack_id], [400, 7, ['T1027']]);
  });

  it('deletes heuristics that are gone, unless a result refers to them or another version runs', async (context) => {
    const { registry, heuristics, results } = await setUp(context);
    const numbered = [1, 2, 3].map((heur_id) => ({ ...HEURISTIC, heur_id }));
    await registry.register(manifest({ heuristics: numbered }), { origin: 'protocol' });
    await registry.register(manifest({ name: 'Mini.Other' }), { origin: 'protocol' });
    const section = {
      title_text: 'T',
      body_format: 'TEXT',
      depth: 0,
      heuristic: { heur_id: 'MINI.2', name: 'E', score: 1 },
    };
    const result = {
      sha256: 'a'.repeat(64),
      response: { service_name: 'Mini', service_version: '1' },
      result: { sections: [section] },
    };
    const options = { unknown: 'refuse', classification: CLASSIFICATION } as const;
    await results.save('r', readDocument(resultDocument, result, options).document, { visible: 'now' });
    await registry.register(manifest({ version: '9', heuristics: [] }), { origin: 'protocol' });
    assert.deepEqual(await idsOf(heuristics, [1, 2, 3]), [true, true, true]);
    await registry.register(manifest({ heuristics: [HEURISTIC] }), { origin: 'protocol' });
    assert.deepEqual(await idsOf(heuristics, [1, 2, 3]), [true, true, false]);
    assert.ok(await heuristics.get('MINI.OTHER.1', ACCESS));
  });

  it('compares only, when the installation registers nothing by itself', async (context) => {
    const { registry, services } = await setUp(context);
    const compare = (changes: object) => registry.register(manifest(changes), { mode: 'compare', origin: 'protocol' });
    await assert.rejects(compare({}), { code: 'service_not_registered', kind: 'unauthenticated' });
    assert.equal(await services.count({ query: { kind: 'all' } }, ACCESS), 0);
    await registry.register(manifest(), { origin: 'protocol' });
    const known = await compare({ heuristics: [{ ...HEURISTIC, score: 1 }] });
    assert.deepEqual([known.keepAlive, known.newHeuristics], [true, []]);
    await assert.rejects(compare({ version: '9' }), { code: 'service_not_registered' });
  });

  it('refuses manifests that are wrong, and stores nothing of them', async (context) => {
    const { registry, services, deltas, heuristics } = await setUp(context);
    const wrong: readonly (readonly [object | string | null, RegExp])[] = [
      ['text', /must be an object/],
      [null, /must be an object/],
      [[], /must be an object/],
      [manifest({ name: undefined }), /name/],
      [manifest({ name: '' }), /name/],
      [manifest({ name: 'a/b' }), /name/],
      [manifest({ name: 5 }), /name/],
      [manifest({ version: '' }), /version/],
      [manifest({ version: {} }), /version/],
      [manifest({ docker_config: undefined }), /docker_config/],
      [manifest({ docker_config: 'image' }), /DockerConfig/],
      [manifest({ config: JSON.parse('{"__proto__": {"enabled": true}}') }), /Illegal key __proto__/],
      [manifest({ timeout: 'soon' }), /timeout/],
      [manifest({ classification: 'NOTHING' }), /NOTHING|classification/i],
      [manifest({ submission_params: [{ name: 'x' }] }), /submission_params/],
      [manifest({ heuristics: 'none' }), /must be a list/],
      [manifest({ heuristics: [HEURISTIC, { heur_id: 2 }] }), /Mini has an invalid heuristic \(#1\)/],
      [manifest({ heuristics: ['x'] }), /Mini has an invalid heuristic \(#0\): it must be an object/],
      [manifest({ heuristics: [{ ...HEURISTIC, heur_id: undefined }] }), /heur_id/],
      [manifest({ heuristics: [HEURISTIC, HEURISTIC] }), /two heuristics/],
      [manifest({ heuristics: Array.from({ length: 5001 }, () => HEURISTIC) }), /at most 5000/],
    ];
    for (const [input, message] of wrong) {
      await assert.rejects(registry.register(input, { origin: 'protocol' }), { kind: 'invalid_input', message });
    }
    for (const collection of [services, deltas, heuristics]) {
      assert.equal(await collection.count({ query: { kind: 'all' } }, ACCESS), 0);
    }
  });

  it('is told of changes in other processes, and looks again after some seconds anyway', async (context) => {
    let now = 0;
    const { registry, other, deltas, events } = await setUp(context, () => now);
    await registry.register(manifest(), { origin: 'protocol' });
    assert.equal((await other.get('Mini'))?.enabled, true);
    await saveDelta(deltas, { version: '4.7.4.25', enabled: false });
    assert.equal((await other.get('Mini'))?.enabled, true);
    await events.publish(SERVICE_EVENTS, { name: 'Mini', operation: 'modified' });
    await until('the other process was told', async () => (await other.get('Mini'))?.enabled === false);
    await saveDelta(deltas, { version: '4.7.4.25', enabled: true });
    assert.equal((await other.get('Mini'))?.enabled, false);
    now = 4000;
    assert.equal((await other.get('Mini'))?.enabled, true);
  });

  it('leaves out services whose version is not there', async (context) => {
    const { registry, deltas } = await setUp(context);
    await saveDelta(deltas, { version: '1' });
    assert.equal(await registry.get('Mini'), undefined);
    assert.deepEqual(await registry.all(), []);
    assert.equal(await registry.get('constructor'), undefined);
  });
});

const CLASSIFICATION = loadClassification(DEMO_CLASSIFICATION);

async function setUp(context: TestContext, now?: () => number) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'registry' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const services = datastore.collection(serviceDocument);
  const deltas = datastore.collection(serviceDeltaDocument);
  const heuristics = datastore.collection(heuristicDocument);
  const results = datastore.collection(resultDocument);
  const { events } = coordination;
  const log = { info() {}, warn() {}, error() {} };
  const open = () =>
    new ServiceRegistry({
      services,
      deltas,
      heuristics,
      results,
      events,
      classification: CLASSIFICATION,
      defaults: {
        preferred_update_channel: 'rc',
        preferred_registry_type: 'harbor',
        prefer_service_privileged: false,
      },
      log,
      ...(now === undefined ? {} : { now }),
    });
  const [registry, other] = [open(), open()];
  context.after(async () => {
    await Promise.all([registry.close(), other.close()]);
    await coordination.close();
    await datastore.close();
  });
  return { registry, other, services, deltas, heuristics, results, events };
}

type Fixture = Awaited<ReturnType<typeof setUp>>;

async function saveDelta(deltas: Fixture['deltas'], delta: object): Promise<void> {
  const options = { unknown: 'refuse', classification: CLASSIFICATION } as const;
  await deltas.save('Mini', readDocument(serviceDeltaDocument, delta, options).document, { visible: 'now' });
}

async function idsOf(heuristics: Fixture['heuristics'], numbers: readonly number[]): Promise<readonly boolean[]> {
  const found = await heuristics.getMany(
    numbers.map((number) => `MINI.${number}`),
    ACCESS,
  );
  return found.map((one) => one !== undefined);
}
