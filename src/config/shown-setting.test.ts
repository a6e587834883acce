import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configSchema } from './config-schema.ts';
import { listSettings } from './setting-list.ts';
import { isSecretSetting, shownSetting } from './shown-setting.ts';

describe('a setting that is shown', () => {
  it('is "set" when it is a secret, at any depth', () => {
    assert.equal(shownSetting('services.api_key', 'hidden'), 'set');
    assert.equal(shownSetting('services.api_key', null), null);
    assert.deepEqual(shownSetting('enrichment.api_keys', { robot: 'hidden' }), { robot: 'set' });
    assert.deepEqual(shownSetting('auth.oauth.providers', { main: { client_id: 'triad', client_secret: 'hidden' } }), {
      main: { client_id: 'triad', client_secret: 'set' },
    });
    assert.deepEqual(
      shownSetting('analysis.submission.file_sources', [{ name: 'mb', headers: { 'Auth-Key': 'hidden' }, data: 'h' }]),
      [{ name: 'mb', headers: { 'Auth-Key': 'set' }, data: 'set' }],
    );
  });

  it('shows addresses without user, password, query and what may be a key', () => {
    const shown = (text: string) => shownSetting('some.url', text);
    assert.equal(shown('redis://:hidden@redis:6379/0'), 'redis://redis:6379/0');
    assert.equal(shown('https://user:hid@den@host/path'), 'https://host/path');
    assert.equal(shown('https://host/list?key=hidden'), 'https://host/list?…');
    assert.equal(shown('https://host/v2/abcdef0123456789abcdef/recent.csv'), 'https://host/v2/…/recent.csv');
    assert.equal(
      shown('https://host/.well-known/openid-configuration'),
      'https://host/.well-known/openid-configuration',
    );
    assert.deepEqual(shownSetting('datastore.hosts', [{ url: 'http://elastic:hidden@127.0.0.1:9200' }]), [
      { url: 'http://127.0.0.1:9200' },
    ]);
    assert.equal(shown('a sentence without an address'), 'a sentence without an address');
  });

  it('counts every setting as a secret whose name says so', () => {
    const secret = listSettings(configSchema)
      .filter(({ key, schema }) => schema.type !== 'boolean' && isSecretSetting(key.replaceAll('[]', '')))
      .map(({ key }) => key);
    assert.deepEqual(secret, [
      'alerts.emit_secret',
      'analysis.submission.file_sources[].data',
      'analysis.submission.file_sources[].headers',
      'analysis.submission.file_sources[].password',
      'analysis.ui.default_zip_password',
      'analysis.ui.secret_key',
      'services.api_key',
      'enrichment.api_keys',
      'enrichment.adapters.<name>.api_key',
      'enrichment.adapter_keys',
      'enrichment.lists[].password',
      'enrichment.lists[].api_key',
      'auth.oauth.providers.<name>.client_secret',
      'auth.oauth.providers.<name>.authorize_params',
      'auth.oauth.providers.<name>.access_token_params',
      'auth.oauth.providers.<name>.request_token_params',
      'auth.oauth.providers.<name>.services.alerts.client_secret',
      'auth.oauth.providers.<name>.services.analysis.client_secret',
      'auth.oauth.providers.<name>.services.enrichment.client_secret',
      'auth.service_account.accounts[].password',
      'datastore.hosts[].password',
      'datastore.hosts[].apikey_secret',
      'files.access_key',
      'files.secret_key',
    ]);
  });
});
