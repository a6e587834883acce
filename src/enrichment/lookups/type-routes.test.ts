import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';

describe('the routes of types', () => {
  it('name sources and their types as far as the caller may know of them', async (context) => {
    const opened = await open(context, ({ url }) =>
      url === '/open/types/'
        ? offer({ domain: 'U', ipv4: 'R', own_type: 'U', md5: 'WHAT', sha1: 7 })
        : offer({ ip: 'U' }),
    );
    assert.deepEqual(await opened.get('types'), { open: ['domain'] });
    assert.deepEqual(await opened.get('types/', 'RESTRICTED'), { open: ['domain', 'ipv4'], closed: ['ip'] });
  });

  it('give the expressions of the types that are offered, the most specific first', async (context) => {
    const types = ['hbs_agent_id', 'url', 'domain', 'ipv4', 'email_id', 'sha256'];
    const opened = await open(context, () => offer(Object.fromEntries(types.map((type) => [type, 'U']))));
    const { text, data } = await opened.getText('types_detection');
    const order = [...types].sort((left, right) => text.indexOf(`"${left}":`) - text.indexOf(`"${right}":`));
    assert.deepEqual(order, ['sha256', 'ipv4', 'domain', 'url', 'hbs_agent_id', 'email_id']);
    assert.equal(data.email_id, null);
    const detected = ['192.0.2.7', 'example.org', 'https://example.org/a'].map((value) =>
      Object.entries(data).find(([, expression]) => expression !== null && new RegExp(expression).test(value)),
    );
    assert.deepEqual(
      detected.map((found) => found?.[0]),
      ['ipv4', 'domain', 'url'],
    );
  });
});

const NAMES = [{ name: 'open' }, { name: 'closed', classification: 'r' }];

async function open(context: { after(end: () => Promise<void>): void }, script: Script) {
  const server = await startScriptedServer(script);
  context.after(async () => server[Symbol.asyncDispose]());
  const { app } = await openEnrichment(context, {
    'enrichment.external_sources': NAMES.map((source) => ({ ...source, url: `${server.url}/${source.name}/` })),
  });
  const getText = async (path: string, classification = 'UNRESTRICTED') => {
    const { body } = await app.inject({
      url: `/api/v1/lookup/${path}`,
      headers: {
        authorization: `Basic ${Buffer.from('robot:robot-secret').toString('base64')}`,
        'x-userid': 'goose',
        'x-classification': classification,
      },
    });
    return { text: body, data: JSON.parse(body).api_response as Record<string, string | null> };
  };
  return { getText, get: async (path: string, classification?: string) => (await getText(path, classification)).data };
}

function offer(types: Readonly<Record<string, unknown>>) {
  return { body: { api_response: types, api_error_message: '', api_status_code: 200 } };
}
