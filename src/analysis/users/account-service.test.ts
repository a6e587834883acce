import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { AccountService } from './account-service.ts';
import { accountView } from './account-view.ts';

const ORIGIN = { service: 'analysis', by: 'ada' } as const;
const ADMINISTRATOR = anActor({ username: 'root', isAdmin: true });
const THEMSELVES = anActor({ username: 'otto' });
const PASSWORD = 'correct horse battery';

describe('accounts at the analysis service', () => {
  it('are made with the kinds of user of both services where each keeps them', async (context) => {
    const { service, users } = await setUp(context);
    await service.create('vera', { name: '', type: ['viewer', 'user'], groups: ['users', 'A-team'] }, ORIGIN);
    const user = await users.get('vera');
    assert.deepEqual(user?.type, ['user']);
    assert.deepEqual(user?.analysis_types, ['viewer']);
    assert.deepEqual(user?.groups, ['USERS', 'A-TEAM']);
    assert.equal(user?.name, 'vera');
    assert.equal(user?.api_quota, 10);
    assert.deepEqual(user?.roles, []);
  });

  it('are of the kind user when nothing else is said, and never of one that does not exist', async (context) => {
    const { service, users } = await setUp(context);
    await service.create('uma', { name: 'Uma' }, ORIGIN);
    assert.deepEqual((await users.get('uma'))?.type, ['user']);
    for (const type of ['king', ['user', 'king'], [5], {}]) {
      await assert.rejects(service.create('kim', { name: 'Kim', type }, ORIGIN), { code: 'invalid_user', at: 'type' });
    }
    assert.equal(await users.get('kim'), undefined);
  });

  it('keep what the alert service alone knows of them', async (context) => {
    const { service, users } = await setUp(context);
    await saveUser(users, 'otto', { type: ['user', 'automation_basic'], dashboard: [], refresh_rate: 60 });
    await service.change(ADMINISTRATOR, 'otto', { name: 'Otto', type: ['admin'] }, ORIGIN);
    const user = await users.get('otto');
    assert.deepEqual(user?.type, ['automation_basic', 'admin']);
    assert.equal(user?.refresh_rate, 60);
  });

  it('do not change when an account is sent back as it was given', async (context) => {
    const { service, users, view } = await setUp(context);
    await saveUser(users, 'otto', {
      type: ['user', 'automation_basic'],
      groups: ['night-shift'],
      email: 'otto@example.org',
      submission_quota: 7,
      organization: 'Branch',
    });
    const before = await users.get('otto');
    assert.ok(before !== undefined);
    await service.change(THEMSELVES, 'otto', view(before), ORIGIN);
    assert.deepEqual(await users.get('otto'), { ...before, analysis_types: [], roles: [] });
  });

  it('let users change their name and their password, and nothing else', async (context) => {
    const { service, users, view } = await setUp(context);
    await saveUser(users, 'otto', { type: ['user'] });
    const before = await users.get('otto');
    assert.ok(before !== undefined);
    const own = view(before);
    const foreign: Readonly<Record<string, unknown>> = {
      api_daily_quota: 5,
      api_quota: 1000,
      can_impersonate: true,
      classification: 'RESTRICTED',
      dn: 'cn=otto',
      email: 'other@example.org',
      groups: ['ADMINS'],
      identity_id: 'somebody',
      is_active: false,
      organization: 'Other',
      roles: ['administration'],
      submission_quota: 500,
      type: ['admin'],
    };
    for (const [field, value] of Object.entries(foreign)) {
      await assert.rejects(service.change(THEMSELVES, 'otto', { ...own, [field]: value }, ORIGIN), {
        code: 'not_own_field',
        message: `Only Administrators can change the value of the field [${field}].`,
      });
    }
    await assert.rejects(service.change(THEMSELVES, 'otto', { name: 'Otto' }, ORIGIN), { code: 'not_own_field' });
    assert.deepEqual(await users.get('otto'), before);
    await service.change(THEMSELVES, 'otto', { ...own, name: 'Otto', new_pass: PASSWORD }, ORIGIN);
    const after = await users.get('otto');
    assert.equal(after?.name, 'Otto');
    assert.notEqual(after?.password, before.password);
  });

  it('have another person when an administrator changes the identity, who is none of those at other providers', async (context) => {
    const { service, users, view } = await setUp(context);
    const linked = { type: ['user'], identity_id: 'main:1', further_identities: ['other:7'] };
    await saveUser(users, 'otto', linked);
    const before = await users.get('otto');
    assert.ok(before !== undefined);
    const kept = await service.change(ADMINISTRATOR, 'otto', { ...view(before), name: 'Otto' }, ORIGIN);
    assert.deepEqual(kept.further_identities, ['other:7']);
    const moved = await service.change(ADMINISTRATOR, 'otto', { ...view(kept), identity_id: 'main:2' }, ORIGIN);
    assert.deepEqual([moved.identity_id, moved.further_identities], ['main:2', undefined]);
  });

  it('keep secrets and clients that no one sends', async (context) => {
    const { service, users } = await setUp(context);
    await saveUser(users, 'otto', { type: ['user'], otp_sk: 'secret', security_tokens: { key: 'data' } });
    const input = { name: 'Otto', otp_sk: null, security_tokens: [], apps: {}, apikeys: {}, password: 'x' };
    const before = await users.get('otto');
    await service.change(ADMINISTRATOR, 'otto', input, ORIGIN);
    const after = await users.get('otto');
    assert.equal(after?.otp_sk, 'secret');
    assert.deepEqual(after?.security_tokens, { key: 'data' });
    assert.equal(after?.password, before?.password);
  });

  it('have the roles of their kinds until roles are chosen one by one', async (context) => {
    const { service, users, view } = await setUp(context);
    await service.create('vera', { name: 'Vera', type: ['viewer'] }, ORIGIN);
    await service.change(ADMINISTRATOR, 'vera', { name: 'Vera', roles: ['file_detail'] }, ORIGIN);
    const chosen = await users.get('vera');
    assert.ok(chosen !== undefined);
    assert.deepEqual(view(chosen).roles, ['file_detail']);
    await service.change(ADMINISTRATOR, 'vera', { name: 'Vera', type: ['submitter'], roles: [] }, ORIGIN);
    assert.deepEqual((await users.get('vera'))?.roles, []);
    await assert.rejects(service.change(ADMINISTRATOR, 'vera', { name: 'Vera', roles: ['king'] }, ORIGIN), {
      code: 'invalid_document',
    });
  });

  it('get the roles of another kind although clients send back those of the kind before', async (context) => {
    const { service, users, view } = await setUp(context);
    const before = await service.create('vera', { name: 'Vera', type: ['viewer'] }, ORIGIN);
    await service.change(ADMINISTRATOR, 'vera', { ...view(before), type: ['submitter'] }, ORIGIN);
    const after = await users.get('vera');
    assert.ok(after !== undefined);
    assert.deepEqual(after.roles, []);
    assert.ok((view(after).roles as string[]).includes('submission_create'));
  });

  it('lose a limit that is left out, so that the default of the installation counts again', async (context) => {
    const { service, users } = await setUp(context);
    await service.create('uma', { name: 'Uma', submission_quota: 7, api_daily_quota: 100, api_quota: 3 }, ORIGIN);
    await service.change(ADMINISTRATOR, 'uma', { name: 'Uma', submission_quota: 5, api_daily_quota: 200 }, ORIGIN);
    const user = await users.get('uma');
    assert.deepEqual([user?.submission_quota, user?.api_daily_quota, user?.api_quota], [undefined, 200, 10]);
  });

  it('are refused without a name, under another name, and when they do not exist', async (context) => {
    const { service } = await setUp(context);
    await assert.rejects(service.create('uma', {}, ORIGIN), { code: 'invalid_user', at: 'name' });
    await assert.rejects(service.create('u{m}a', { name: 'Uma' }, ORIGIN), { code: 'invalid_username' });
    await assert.rejects(service.create('uma', { name: 'Uma', new_pass: 'short' }, ORIGIN), { code: 'weak_password' });
    await assert.rejects(service.change(ADMINISTRATOR, 'uma', { name: 'Uma' }, ORIGIN), { code: 'user_missing' });
    await service.create('uma', { name: 'Uma' }, ORIGIN);
    await assert.rejects(service.create('uma', { name: 'Uma' }, ORIGIN), { code: 'user_exists' });
    for (const input of [{ name: '' }, { name: null }, { name: 'Uma', uname: 'una' }]) {
      await assert.rejects(service.change(ADMINISTRATOR, 'uma', input, ORIGIN), { code: 'invalid_user' });
    }
  });
});

async function setUp(context: TestContext) {
  const { accounts, users, engine } = await openTestIdentity(context);
  const settings = loadConfig({ environment: {}, flags: {} }).analysis;
  const service = new AccountService({ accounts, classification: engine, storedClassification: engine, settings });
  const view = (user: Parameters<typeof accountView>[0]) =>
    accountView(user, { quotas: settings.ui.default_quotas, classification: engine, withIdentity: false });
  return { service, users, view };
}
