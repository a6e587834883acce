import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { installationDocument } from '../../documents/kinds/installation.ts';
import { userAvatarDocument, userSettingsDocument } from '../../documents/kinds/user-records.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { AvatarService } from '../../identity/accounts/avatar-service.ts';
import { PASSWORD_PRIVILEGES } from '../../identity/actor.ts';
import { analysisActors } from '../../identity/actor-factory.ts';
import { openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { until } from '../../testing/until.ts';
import { analysisEnvelope } from '../operations/analysis-envelope.ts';
import { heuristicSignatures } from '../search/heuristic-signatures.ts';
import { SystemValues } from '../system/system-values.ts';
import { UserSettingsService } from './user-settings-service.ts';
import { Whoami } from './whoami.ts';

describe('whoami', () => {
  it('tells callers everything that the contract names, with sorted keys', async (context) => {
    const { read } = await setUp(context, { type: ['user'], organization: 'Branch', groups: ['night-shift'] });
    const { api_response: answer, ...envelope } = await read();
    assert.deepEqual(envelope, { api_error_message: '', api_server_version: '1.2.3', api_status_code: 200 });
    const keys = Object.keys(answer);
    assert.deepEqual(keys, [...keys].sort());
    assert.deepEqual(keys, [
      'agrees_with_tos',
      'api_daily_quota',
      'avatar',
      'c12nDef',
      'classification',
      'classification_aliases',
      'configuration',
      'email',
      'groups',
      'indexes',
      'is_active',
      'is_admin',
      'name',
      'roles',
      'settings',
      'submission_daily_quota',
      'type',
      'username',
    ]);
    assert.deepEqual(answer.groups, ['NIGHT-SHIFT', 'Branch']);
    assert.deepEqual([answer.username, answer.type, answer.is_admin], ['anna', ['user'], false]);
    assert.equal('organization' in answer, false);
  });

  it('is packed once for those who take it so', async (context) => {
    const { whoami, actor } = await setUp(context, { type: ['user'] });
    const body = await whoami.answer(await actor());
    const { plain } = body;
    const packed = await body.packed('gzip');
    assert.ok(packed.length < plain.length / 4, `${packed.length} of ${plain.length}`);
    assert.deepEqual(gunzipSync(packed), plain);
    assert.equal(await (await whoami.answer(await actor())).packed('gzip'), packed);
  });

  it('is the same bytes until something of it changes, and then at once', async (context) => {
    const { whoami, actor, users, avatars, userSettings } = await setUp(context, { type: ['user'] });
    let before = await whoami.answer(await actor());
    assert.equal(await whoami.answer(await actor()), before);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => avatars.set('anna', 'data:image/png;base64,AAAA'),
      () => users.update('anna', [{ op: 'set', path: 'name', value: 'Anna B.' }]),
      async () => userSettings.change('anna', await actor(), { default_zip_password: 'other' }),
      () => avatars.delete('anna'),
    ];
    for (const change of changes) {
      await change();
      const after = await whoami.answer(await actor());
      assert.notDeepEqual(after.plain, before.plain);
      assert.equal(await whoami.answer(await actor()), after);
      before = after;
    }
  });

  it('shows the indexes of the roles that the credential leaves', async (context) => {
    const { read, limitedTo } = await setUp(context, { type: ['admin'] });
    const all = await read();
    assert.equal(Object.keys(all.api_response.indexes).length, 14);
    assert.equal(all.api_response.is_admin, true);
    const limited = await read(limitedTo(['workflow_view']));
    assert.deepEqual(Object.keys(limited.api_response.indexes), ['workflow']);
    assert.deepEqual(limited.api_response.roles, ['workflow_view']);
    assert.equal(limited.api_response.is_admin, false);
  });

  it('lists the signatures of heuristics that the caller may know, once a service has brought them', async (context) => {
    const { read, heuristics, clock } = await setUp(context, { type: ['user'], classification: 'UNRESTRICTED' });
    const fields = async () =>
      Object.keys((await read()).api_response.indexes.heuristic).filter((path) => path.startsWith('signature'));
    assert.deepEqual(await fields(), []);
    for (const [id, classification] of [
      ['OPEN', 'UNRESTRICTED'],
      ['CLOSED', 'RESTRICTED'],
    ] as const) {
      const input = { heur_id: id, name: id, description: id, filetype: '.*', score: 1, classification };
      const { document } = readDocument(
        heuristicDocument,
        { ...input, signature_score_map: { [id.toLowerCase()]: 100 } },
        { unknown: 'refuse', classification: loadClassification(DEMO_CLASSIFICATION) },
      );
      await heuristics.save(id, document, { visible: 'now' });
    }
    clock.now += 61_000;
    // What is older than a minute is read again while it still serves.
    await fields();
    await until('the signature is listed', async () => (await fields()).length === 1);
    assert.deepEqual(await fields(), ['signature_score_map.open']);
  });

  it('offers the profile without restrictions to those alone who may customise submissions', async (context) => {
    const { read, limitedTo } = await setUp(context, { type: ['user'] });
    const { settings } = (await read()).api_response;
    assert.equal(settings.preferred_submission_profile, 'default');
    assert.deepEqual(settings.submission_profiles.default.services.selected, [
      'Filtering',
      'Antivirus',
      'Static Analysis',
      'Extraction',
      'Networking',
    ]);
    const limited = (await read(limitedTo(['submission_create']))).api_response.settings;
    assert.equal(limited.preferred_submission_profile, 'static');
    assert.equal('default' in limited.submission_profiles, false);
  });

  it('holds no secret', async (context) => {
    const { whoami, actor } = await setUp(context, { type: ['admin'], otp_sk: 'the secret', apikeys: {} });
    const text = (await whoami.answer(await actor())).plain.toString();
    assert.doesNotMatch(text, /the secret|argon2id/);
  });

  it('does not exist for an account that was deleted', async (context) => {
    const { whoami, actor, users } = await setUp(context, { type: ['user'] });
    const caller = await actor();
    await users.delete('anna');
    await assert.rejects(whoami.answer(caller), { code: 'user_missing' });
  });
});

async function setUp(context: TestContext, fields: Record<string, unknown>) {
  const { users, engine, clock } = await openTestIdentity(context);
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'settings' });
  context.after(() => datastore.close());
  await saveUser(users, 'anna', fields);
  const settings = loadConfig({ environment: {}, flags: {} });
  const avatars = new AvatarService({ avatars: datastore.collection(userAvatarDocument) });
  const userSettings = new UserSettingsService({
    stored: datastore.collection(userSettingsDocument),
    classification: engine,
    settings: settings.analysis,
  });
  const heuristics = datastore.collection(heuristicDocument);
  const signatures = heuristicSignatures({ heuristics, classification: engine, now: () => clock.now });
  const values = new SystemValues({ facts: datastore.collection(installationDocument), now: () => clock.now });
  const parts = { users, avatars, userSettings, signatures, values, settings, classification: engine };
  const whoami = new Whoami({ ...parts, envelope: analysisEnvelope('1.2.3'), version: '1.2.3' });
  const actors = analysisActors({ engine, log: { info() {}, warn() {}, error() {} } });
  const anna = async () => {
    const user = await users.recent('anna');
    assert.ok(user !== undefined);
    return user;
  };
  const bySession = async () => ({ user: await anna(), method: 'session', privileges: PASSWORD_PRIVILEGES }) as const;
  const actor = async () => actors.actorOf(await bySession());
  const limitedTo = async (roles: readonly AnalysisRole[]) =>
    actors.actorOf({ ...(await bySession()), privileges: [], rolesLimit: new Set(roles) });
  const read = async (caller = actor()) => JSON.parse((await whoami.answer(await caller)).plain.toString());
  return { whoami, values, heuristics, clock, users, avatars, userSettings, actor, limitedTo, read };
}
