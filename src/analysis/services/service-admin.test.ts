import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { enforcedClassification as classification } from '../../testing/analysis/enforced-classification.ts';
import { HeuristicRegistration } from './heuristic-registration.ts';
import { openServices } from './open-services.ts';
import { ServiceAdmin } from './service-admin.ts';
import { ServiceBackup } from './service-backup.ts';
import { ServiceUpdates } from './service-updates.ts';

const MANIFEST = 'name: Mini\nversion: 4.7.4.1\nenabled: true\ntimeout: 30\ndocker_config:\n  image: none/mini\n';

describe('ServiceAdmin', () => {
  it('stores what changes of a version, and leaves the rest to it', async (context) => {
    const fixture = await setUp(context);
    const { admin, registry } = fixture;
    await admin.add(MANIFEST);
    await admin.set('Mini', { name: 'Mini', version: '4.7.4.1', timeout: 90, enabled: true, config: { a: 1 } });
    const service = await registry.get('Mini');
    assert.deepEqual([service?.timeout, service?.config, service?.docker_config.image], [90, { a: 1 }, 'none/mini']);
    const [delta] = await fixture.deltas;
    assert.equal(delta?.enabled, undefined);
    await assert.rejects(admin.set('Mini', { version: '4.7.4.1', timeout: 'long' }), { kind: 'invalid_input' });
    await assert.rejects(admin.set('Mini', { version: '9' }), { code: 'unknown_service_version' });
  });

  it('switches to versions that are stored, and offers those of the channel', async (context) => {
    const { admin, updates, registry } = await setUp(context);
    await admin.add(MANIFEST);
    await admin.add(MANIFEST.replace('4.7.4.1', '4.7.4.stable12'));
    assert.deepEqual(await admin.versions('Mini'), ['4.7.4.12', '4.7.4.1']);
    const latest_tag = '4.7.4.stable12';
    const { status } = await updates.update({ name: 'Mini', update_data: { latest_tag } });
    assert.deepEqual([status, (await registry.get('Mini'))?.version], ['updated', '4.7.4.12']);
    const other = await updates.update({ name: 'Mini', update_data: { latest_tag: '5' } });
    assert.equal(other.status, 'updating');
    await assert.rejects(updates.update({ name: 'Mini' }), { code: 'invalid_update' });
  });

  it('notes services whose container would have to be fetched', async (context) => {
    const { admin, updates } = await setUp(context);
    await admin.add(MANIFEST);
    const wanted = ['Mini', 'Other'].map((name) => ({ name, image: 'none/x' }));
    assert.deepEqual(await updates.install(wanted), ['Other']);
    assert.deepEqual(await updates.installing(), ['Other']);
    assert.deepEqual(await updates.states(['Mini', 'Other', 'Third']), {
      installing: ['Other'],
      installed: ['Mini'],
      not_installed: ['Third'],
    });
    await assert.rejects(updates.install('Mini'), { code: 'invalid_install' });
  });

  it('restores its own backups, and refuses others whole', async (context) => {
    const { admin, backup, registry } = await setUp(context);
    await admin.add(MANIFEST);
    await admin.set('Mini', { version: '4.7.4.1', timeout: 90 });
    const text = await backup.write({ full: true });
    await admin.delete('Mini');
    assert.equal(await registry.get('Mini'), undefined);
    await assert.rejects(backup.restore(text.replace('server: here', 'server: there')), { code: 'foreign_backup' });
    await assert.rejects(backup.restore('type: backup'), { code: 'invalid_backup' });
    await assert.rejects(backup.restore(text.replace('timeout: 30', 'timeout: soon')), { kind: 'invalid_input' });
    assert.equal(await registry.get('Mini'), undefined);
    await backup.restore(text);
    assert.equal((await registry.get('Mini'))?.timeout, 90);
  });

  it('refuses manifests that are no plain data', async (context) => {
    const { admin } = await setUp(context);
    for (const text of ['', 'just text', '{{', '- a', 'a: &x 1\nb: *x', `name: Mini\nversion: ${'9'.repeat(200)}`]) {
      await assert.rejects(admin.add(text), { kind: 'invalid_input' });
    }
    await assert.rejects(admin.add('x'.repeat(300_000)), { kind: 'too_large' });
  });
});

async function setUp(context: TestContext) {
  const settings = loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname } });
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'admin' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const log = { info() {}, warn() {}, error() {} };
  const parts = openServices({ datastore, coordination, classification, settings, log });
  const { registry, services, deltas, heuristics } = parts;
  context.after(async () => {
    await registry.close();
    await coordination.close();
    await datastore.close();
  });
  const results = datastore.collection(resultDocument);
  const registration = new HeuristicRegistration({ heuristics, results, classification });
  const signatures = datastore.collection(signatureDocument);
  return {
    registry,
    admin: new ServiceAdmin({ registry, services, deltas, registration, signatures, classification }),
    backup: new ServiceBackup({ registry, services, deltas, classification, server: 'here' }),
    updates: new ServiceUpdates({ registry, tables: coordination.tables }),
    get deltas() {
      return deltas.getMany(['Mini'], { filter: { kind: 'all' }, admits: () => true, username: undefined });
    },
  };
}
