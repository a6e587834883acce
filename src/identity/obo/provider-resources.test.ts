import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { ProviderRegistry } from '../oauth/provider-registry.ts';
import type { VerifiedToken } from '../oauth/verified-token.ts';
import { ProviderResources } from './provider-resources.ts';

const TOKEN: VerifiedToken = { provider: 'main', claims: { sub: '1' }, token: 'a.b.c', expires: 0 };
const PNG = { headers: { 'content-type': 'image/png; x=y' }, body: 'PNG' };

async function open(script: Script, settings: Readonly<Record<string, unknown>> = {}, exchanged?: string | null) {
  const server = await startScriptedServer(script);
  const main = { jwks_uri: `${server.url}/jwks`, api_base_url: server.url, ...settings };
  const { auth } = loadConfig({
    environment: {},
    flags: { 'auth.oauth.enabled': true, 'auth.oauth.providers': { main } },
  });
  const lines: string[] = [];
  const write = (entry: object, message: string) => void lines.push(`${message} ${JSON.stringify(entry)}`);
  const log = { info: write, warn: write, error: write };
  const asked: string[] = [];
  const exchange = {
    has: (target: string) => exchanged !== undefined && target === 'graph',
    exchange: async (token: string, target: string, user: string) => {
      asked.push(`${token} ${target} ${user}`);
      return exchanged ?? null;
    },
  };
  const registry = new ProviderRegistry({ settings: auth.oauth, log });
  return { server, lines, asked, resources: new ProviderResources({ registry, exchange, log }) };
}

describe('the picture of a user', () => {
  it('is fetched with their token at the address of the settings, and nowhere else', async () => {
    const { server, resources } = await open(() => PNG, { picture_url: '/me/photo' });
    await using _ = server;
    assert.equal(await resources.pictureOf(TOKEN, 'ada'), `data:image/png;base64,${btoa('PNG')}`);
    assert.deepEqual(
      server.requests.map(({ url, headers }) => [url, headers.authorization]),
      [['/me/photo', 'Bearer a.b.c']],
    );
    const without = await open(() => PNG);
    await using _server = without.server;
    assert.equal(await without.resources.pictureOf(TOKEN, 'ada'), undefined);
    assert.deepEqual(without.server.requests, []);
  });

  it('is none when the provider has none, redirects, answers with something else, or not at all', async () => {
    const answers: readonly ReturnType<Script>[] = [
      { status: 404 },
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { headers: { 'content-type': 'text/html' }, body: '<script>' },
      { headers: { 'content-type': 'image/png' }, body: 'x'.repeat(1024 * 1024 + 1) },
      'reset',
    ];
    for (const answer of answers) {
      const { server, resources, lines } = await open(() => answer, { picture_url: '/me/photo' });
      await using _ = server;
      assert.equal(await resources.pictureOf(TOKEN, 'ada'), undefined);
      assert.equal(server.requests.length, 1);
      assert.doesNotMatch(lines.join(), /a\.b\.c/);
    }
  });

  it('is asked for with a token of its own where the provider wants one', async () => {
    const settings = { picture_url: '/me/photo', on_behalf_of: 'jwt_bearer' };
    const { server, resources, asked } = await open(() => PNG, settings, 'd.e.f');
    await using _ = server;
    await resources.pictureOf(TOKEN, 'ada');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer d.e.f');
    assert.deepEqual(asked, ['a.b.c graph ada']);
    const refused = await open(() => PNG, settings, null);
    await using _server = refused.server;
    assert.equal(await refused.resources.pictureOf(TOKEN, 'ada'), undefined);
    assert.deepEqual(refused.server.requests, []);
  });
});

describe('the groups of a user', () => {
  it('are those that the provider lists, by name, without what is not a group', async () => {
    const graph = '#microsoft.graph.group';
    const value = [
      { '@odata.type': graph, id: '2', displayName: 'zebra' },
      { '@odata.type': '#microsoft.graph.directoryRole', id: '3', displayName: 'Role' },
      { '@odata.type': graph, id: '1', displayName: 'Ape' },
      { '@odata.type': graph, id: '4', displayName: null },
      { id: 5, name: 'x' },
      'text',
      { id: '6', name: 'mole' },
    ];
    const { server, resources } = await open(() => ({ body: { data: { value } } }), {
      groups_url: '/me/groups',
      groups_key: 'data.value',
    });
    await using _ = server;
    assert.deepEqual(await resources.groupsOf(TOKEN, 'ada'), [
      { id: '1', name: 'Ape' },
      { id: '6', name: 'mole' },
      { id: '2', name: 'zebra' },
    ]);
    assert.equal(server.requests[0]?.url, '/me/groups');
  });

  it('are not told without an address, and cannot be told when the provider does not', async () => {
    const without = await open(() => ({ body: [] }));
    await using _ = without.server;
    assert.equal(await without.resources.groupsOf(TOKEN, 'ada'), undefined);
    for (const answer of [{ status: 403, body: [] }, { body: { a: [] } }, { body: 'no JSON' }, 'reset'] as const) {
      const { server, resources } = await open(() => answer, { groups_url: '/groups', groups_key: '__proto__' });
      await using _server = server;
      await assert.rejects(resources.groupsOf(TOKEN, 'ada'), { kind: 'unavailable', code: 'groups_unavailable' });
    }
  });
});
