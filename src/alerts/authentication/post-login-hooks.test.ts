import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import { userAvatarDocument } from '../../documents/kinds/user-records.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { AvatarService } from '../../identity/accounts/avatar-service.ts';
import { ProfileReader } from '../../identity/oauth/oauth-profile.ts';
import { ProviderRegistry } from '../../identity/oauth/provider-registry.ts';
import { UserStore } from '../../identity/user-store.ts';
import {
  type AlertServices,
  anActor,
  openAlertServices,
  testClassification,
} from '../../testing/alerts/alert-services.ts';
import { saveUser } from '../../testing/identity/open-test-identity.ts';
import { ViewService } from '../saved-objects/view-service.ts';
import { PostLoginHooks } from './post-login-hooks.ts';

const PICTURE = 'data:image/png;base64,UE5H';

describe('anyone who signs in through a provider', () => {
  let services: AlertServices;
  beforeEach(async () => {
    services = await openAlertServices();
  });
  afterEach(() => services.close());

  async function open(settings: Readonly<Record<string, unknown>> = {}) {
    const { datastore } = services;
    const users = new UserStore({ users: datastore.collection(userDocument) });
    const user = await saveUser(users, 'ana', { email: 'ana@triad.example' });
    const main = { jwks_uri: 'http://127.0.0.1/jwks', ...settings };
    const { auth } = loadConfig({
      environment: {},
      flags: { 'auth.oauth.enabled': true, 'auth.oauth.providers': { main } },
    });
    const warnings: string[] = [];
    const log = { info() {}, warn: (_entry: object, message: string) => void warnings.push(message), error() {} };
    const registry = new ProviderRegistry({ settings: auth.oauth, log });
    const views = new ViewService({ views: datastore.collection(viewDocument), users });
    const avatars = new AvatarService({ avatars: datastore.collection(userAvatarDocument) });
    const parts = { views, avatars, registry, log, resources: { pictureOf: async () => PICTURE } };
    const { settings: configured } = registry.find('main') ?? {};
    assert.ok(configured);
    const reader = new ProfileReader({
      provider: 'main',
      settings: configured,
      engine: testClassification,
      gravatar: true,
    });
    const signIn = (claims: Readonly<Record<string, unknown>> = {}) => ({
      user,
      profile: reader.read({ email: 'ana@triad.example', ...claims }),
      token: { provider: 'main', claims, token: 'a.b.c', expires: 0 },
      refreshToken: null,
    });
    const run = (claims?: Readonly<Record<string, unknown>>) => new PostLoginHooks(parts).run(signIn(claims));
    return { users, views, avatars, warnings, run, parts, signIn };
  }

  it('finds the view of what is assigned to them, made once, and does not get it back as a favourite', async () => {
    const { users, views, run } = await open();
    await Promise.all([run(), run()]);
    const list = await views.list(anActor());
    assert.deepEqual(
      list.map(({ document: { title, query, type, owner } }) => [title, query, type, owner]),
      [['view.assigned_to_me', 'howler.assignment:ana', 'readonly', 'ana']],
    );
    const favourites = async () => (await users.get('ana'))?.favourite_views;
    assert.deepEqual(await favourites(), ['assigned-to-ana']);
    await users.removeFavourite('ana', 'favourite_views', 'assigned-to-ana');
    await run();
    assert.deepEqual(await favourites(), []);
  });

  it('gets the picture that the provider tells, and keeps an own one', async () => {
    const { avatars, run } = await open();
    await run({ picture: 'https://p.example/1.png' });
    assert.equal(await avatars.recentPicture('ana'), 'https://p.example/1.png');
    await run({ picture: 'https://p.example/2.png' });
    assert.equal(await avatars.recentPicture('ana'), 'https://p.example/1.png');
  });

  it('gets the present picture where accounts are kept as the provider has them, but none that the provider did not name', async () => {
    const { avatars, run } = await open({ auto_sync: true });
    await run({ picture: 'https://p.example/1.png' });
    await run({ picture: PICTURE });
    assert.equal(await avatars.recentPicture('ana'), PICTURE);
    await run();
    assert.equal(await avatars.recentPicture('ana'), PICTURE);
  });

  it('gets that of the address of the settings, or of gravatar.com', async () => {
    const fetched = await open({ picture_url: 'http://127.0.0.1/photo' });
    await fetched.run();
    assert.equal(await fetched.avatars.recentPicture('ana'), PICTURE);
    await fetched.avatars.delete('ana');
    const guessed = await open();
    await guessed.run();
    assert.match((await guessed.avatars.recentPicture('ana')) ?? '', /^https:\/\/www\.gravatar\.com\/avatar\//);
  });

  it('gets no picture that is something else', async () => {
    const { avatars, run } = await open();
    for (const picture of [
      'javascript:alert(1)',
      'data:text/html,x',
      'data:image/png;base64,"><x',
      'file:///etc/passwd',
      'https://a b',
    ]) {
      await run({ picture });
      assert.equal(await avatars.recentPicture('ana'), undefined, picture);
    }
  });

  it('is admitted also when nothing of it can be made', async () => {
    const { parts, signIn, warnings } = await open();
    const broken = { ensureAssignedToMe: () => Promise.reject(new Error('no datastore')) };
    await new PostLoginHooks({ ...parts, views: broken }).run(signIn({ picture: `https://${'x'.repeat(2_000_001)}` }));
    assert.equal(warnings.length, 2);
  });
});
