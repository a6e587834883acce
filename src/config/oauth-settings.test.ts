import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';

const load = (environment: Record<string, string>, flags: Record<string, unknown> = {}) =>
  loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname, ...environment }, flags }).auth.oauth;

describe('settings of identity providers', () => {
  it('take the keys of all three public systems', () => {
    const { providers } = load(
      {},
      {
        'auth.oauth.providers': {
          local: {
            client_id: 'clue-golden',
            client_secret: 'golden-client-secret',
            audience: null,
            scope: 'openid email profile',
            access_token_url: 'http://127.0.0.1:6480/local/token',
            authorize_url: 'http://127.0.0.1:6480/local/authorize',
            api_base_url: null,
            jwks_uri: 'http://127.0.0.1:6480/local/jwks',
            role_map: { admin: 'golden-admins' },
            classification_map: { 'golden-green': 'TLP:GREEN' },
            required_groups: ['members'],
            uid_regex: '([a-z]+)@.*',
            uid_format: '{0}',
            auto_properties: [{ field: 'groups', pattern: 'soc', type: 'role', value: 'admin' }],
            user_groups: 'groups',
            identity_id_field: 'oid',
          },
        },
      },
    );
    assert.deepEqual(providers.local?.role_map, { admin: 'golden-admins' });
    assert.deepEqual(providers.local?.auto_properties, [
      { field: 'groups', pattern: 'soc', type: 'role', value: 'admin' },
    ]);
    assert.equal(providers.local?.auto_create, true);
    assert.equal(providers.local?.services.analysis.client_id, null);
  });

  it('take secrets from variables that begin with the name of the provider', () => {
    const providers = {
      'my-idp': { jwks_uri: 'https://idp.example/keys', client_id: 'in-file', client_secret: 'in-file' },
    };
    const { providers: read } = load(
      { MY_IDP_CLIENT_SECRET: 'of-variable', OTHER_CLIENT_SECRET: 'of-nobody' },
      { 'auth.oauth.providers': providers },
    );
    assert.equal(read['my-idp']?.client_secret, 'of-variable');
    assert.equal(read['my-idp']?.client_id, 'in-file');
  });

  it('can be given as variables, also for one service', () => {
    const { providers } = load({
      SVC_AUTH_OAUTH_PROVIDERS_KEYCLOAK_DISCOVERY_URL: 'https://idp.example/realms/soc',
      SVC_AUTH_OAUTH_PROVIDERS_KEYCLOAK_SERVICES_ANALYSIS_AUDIENCE: 'analysis',
      SVC_AUTH_OAUTH_PROVIDERS_KEYCLOAK_REQUIRED_GROUPS: 'soc, staff',
    });
    assert.equal(providers.keycloak?.discovery_url, 'https://idp.example/realms/soc');
    assert.equal(providers.keycloak?.services.analysis.audience, 'analysis');
    assert.deepEqual(providers.keycloak?.required_groups, ['soc', 'staff']);
  });

  it('never show a secret in a message', () => {
    const providers = { local: { client_secret: ['a-secret-in-a-list'] } };
    assert.throws(
      () => load({}, { 'auth.oauth.providers': providers }),
      (error: Error) => {
        assert.match(error.message, /client_secret must be a string/);
        return !error.message.includes('a-secret-in-a-list');
      },
    );
  });
});
