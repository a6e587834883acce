import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AuthenticationFailed,
  createPlugin,
  defineAction,
  InvalidData,
  jwksTokens,
  NotFound,
  type PluginOptions,
  TimedOut,
  Unprocessable,
} from './index.js';
import { startPlugin } from './testing.js';

const OPINION = { analytic: 'lab', type: 'opinion', value: 'benign', confidence: 0.5, summary: 'Known.' } as const;
const QUIET = { error: () => {} };

async function start(context: TestContext, options: Partial<PluginOptions> = {}) {
  const usual = { name: 'lab', classification: 'TLP:CLEAR', types: ['domain', 'ipv4'], log: QUIET };
  const started = await startPlugin(createPlugin({ ...usual, ...options }));
  context.after(() => started.close());
  return started;
}

describe('lookups of a plugin', () => {
  it('answer types, entries with their defaults, and 404 for nothing', async (context) => {
    const { types, lookup, request } = await start(context, {
      lookup: (_type, value) => {
        if (value === 'empty') return [];
        return value === 'known.org/é' ? { annotations: [OPINION], raw_data: 1 } : undefined;
      },
    });
    assert.deepEqual((await types()).data, { domain: 'TLP:CLEAR', ipv4: 'TLP:CLEAR' });
    const { status, data } = await lookup('domain', 'known.org/é');
    assert.equal(status, 200);
    assert.equal(data[0].classification, 'TLP:CLEAR');
    assert.equal(data[0].count, 1);
    assert.equal(data[0].annotations[0].quantity, 1);
    assert.ok(!('raw_data' in data[0]));
    assert.equal((await lookup('domain', 'known.org/é', { include_raw: 'True' })).data[0].raw_data, 1);
    assert.deepEqual((await lookup('domain', 'known.org/é', { no_annotation: 'True' })).data[0].annotations, []);
    const nothing = await lookup('domain', 'other');
    assert.deepEqual([nothing.status, nothing.data, nothing.message], [404, [], '']);
    const empty = await lookup('domain', 'empty');
    assert.deepEqual([empty.status, empty.data], [200, []]);
    for (const path of ['//types', '/types', '/types/']) assert.equal((await request(path)).status, 200);
    assert.equal((await request('/nothing')).status, 404);
  });

  it('have the status of what the function throws', async (context) => {
    const thrown = [new InvalidData(), new AuthenticationFailed(), new NotFound(), new TimedOut(), new Unprocessable()];
    const { lookup } = await start(context, {
      cache: false,
      lookup: (_type, value) => {
        throw thrown[Number(value)] ?? new Error('odd');
      },
    });
    const statuses = await Promise.all(
      ['0', '1', '2', '3', '4', '5'].map(async (value) => (await lookup('domain', value)).status),
    );
    assert.deepEqual(statuses, [400, 401, 404, 408, 422, 500]);
    assert.equal((await lookup('url', 'x')).status, 422);
    assert.equal((await lookup('domain', 'x', { deadline: '1' })).status, 504);
  });

  it('refuse entries that the enrichment service would refuse', async (context) => {
    const { lookup } = await start(context, {
      lookup: () => ({ annotations: [{ ...OPINION, value: 'suspect' as 'benign' }] }),
    });
    const { status, message } = await lookup('domain', 'x');
    assert.equal(status, 500);
    assert.match(message ?? '', /annotations\.0\.value must be one of benign/);
  });

  it('end at the deadline', async (context) => {
    let aborted = false;
    const { lookup } = await start(context, {
      lookup: async (_type, _value, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        await sleep(5000, undefined, { ref: false });
        return [];
      },
    });
    const { status } = await lookup('domain', 'x', { max_timeout: '0.1' });
    assert.equal(status, 408);
    assert.ok(aborted);
  });

  it('are without any: 400', async (context) => {
    const { lookup, bulk } = await start(context);
    assert.equal((await lookup('domain', 'x')).status, 400);
    assert.equal((await bulk([])).status, 400);
  });
});

describe('bulk lookups of a plugin', () => {
  it('answer each selector, with its own error', async (context) => {
    const { bulk, request } = await start(context, {
      lookup: (_type, value) => {
        if (value === 'bad') throw new Unprocessable('Cannot read it.');
        return value === 'good' ? { annotations: [OPINION] } : undefined;
      },
    });
    const values = ['good', 'bad', 'other', '__proto__'].map((value) => ({ type: 'domain', value }));
    const { status, data } = await bulk([...values, { type: 'url', value: 'x' }]);
    assert.equal(status, 200);
    assert.equal(data.domain.good.items.length, 1);
    assert.deepEqual(data.domain.bad, { error: 'Cannot read it.', items: [] });
    assert.deepEqual(data.domain.other, { items: [] });
    assert.match(data.url.x.error, /Invalid type name: url/);
    for (const json of [{}, [1], [{ type: 'domain' }]]) {
      assert.equal((await request('/lookup/', { method: 'POST', json })).status, 422);
    }
    assert.equal((await bulk(values, { deadline: '1' })).status, 504);
  });

  it('run a function of their own, with the token', async (context) => {
    const { bulk } = await start(context, {
      validateToken: (token) => ({ user: `user of ${token}` }),
      bulk: (selectors, { token, user }) => {
        if (selectors[0]?.value === 'fail') throw new InvalidData('No.');
        return { domain: { a: [{ annotations: [{ ...OPINION, summary: `${token} ${user}` }] }] } };
      },
    });
    const { data } = await bulk([{ type: 'domain', value: 'a' }], {}, { token: 't' });
    assert.equal(data.domain.a.items[0].annotations[0].summary, 't user of t');
    assert.equal((await bulk([{ type: 'domain', value: 'fail' }], {}, { token: 't' })).status, 400);
    assert.equal((await bulk([{ type: 'domain', value: 'a' }])).status, 401);
  });
});

describe('the cache of a plugin', () => {
  it('keeps entries for the user who asked, and no_cache asks again', async (context) => {
    let calls = 0;
    const { lookup } = await start(context, {
      validateToken: (token) => ({ user: token }),
      lookup: (_type, _value, { user = '' }) => {
        calls += 1;
        return { annotations: [{ ...OPINION, summary: user }] };
      },
    });
    const summary = async (token: string, query = {}) =>
      (await lookup('domain', 'x', query, { token })).data[0].annotations[0].summary;
    assert.deepEqual([await summary('ada'), await summary('ada'), await summary('bob')], ['ada', 'ada', 'bob']);
    assert.equal(calls, 2);
    await summary('ada', { no_cache: 'True' });
    assert.equal(calls, 3);
  });
});

describe('actions of a plugin', () => {
  const note = defineAction({
    id: 'note',
    name: 'Note',
    supportedTypes: ['domain'],
    params: { level: { type: 'integer' }, comment: { type: 'string', optional: true } },
    run: ({ selector, params, context }) => {
      if (params.level === 7) throw new Error('Seven.');
      const output = { value: selector?.value, level: params.level + 1, comment: params.comment, url: context?.url };
      return { outcome: 'success', format: 'json', output };
    },
  });

  it('are listed with the schema of their form, and run', async (context) => {
    const { actions, runAction } = await start(context, { actions: [note] });
    const { data } = await actions();
    assert.equal(data.note.classification, 'TLP:CLEAR');
    assert.deepEqual(data.note.params.required, ['level']);
    assert.deepEqual(Object.keys(data.note.params.properties), ['selector', 'selectors', 'level', 'comment']);
    const selector = { type: 'domain', value: 'x.org' };
    const run = await runAction('note', { selector, selectors: [], level: 1, context: { url: { href: 'http://a/' } } });
    assert.deepEqual(run.data.output, { value: 'x.org', level: 2, comment: null, url: 'http://a/' });
  });

  it('answer 200 with the reason for wrong requests and failures', async (context) => {
    const { runAction } = await start(context, { actions: [note] });
    const selector = { type: 'domain', value: 'x.org' };
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ selector }, /level: is required/],
      [{ selector, level: 'x' }, /level: must be of the type integer/],
      [{ selector: { ...selector, type: 'url' }, level: 1 }, /does not take the type url/],
      [{ level: 1 }, /needs a selector/],
      [{}, /No request body/],
      [{ selector, level: 7 }, /Seven/],
    ];
    for (const [body, reason] of wrong) {
      const { status, data, message } = await runAction('note', body);
      assert.equal(status, 200);
      assert.equal(data.outcome, 'failure');
      assert.match(data.summary, reason);
      assert.equal(message, data.summary);
    }
    assert.equal((await runAction('other', {})).status, 404);
    assert.equal((await (await start(context)).runAction('note', {})).status, 400);
  });
});

describe('fetchers of a plugin', () => {
  it('are listed, run, and fail with an error', async (context) => {
    const { fetchers, runFetcher } = await start(context, {
      fetchers: [
        {
          id: 'page',
          description: 'A page',
          format: 'markdown',
          run: ({ value }) => {
            if (value === 'throw') throw new Error('Gone.');
            if (value === 'none') return { outcome: 'failure', error: 'None.' };
            return { outcome: 'success', format: 'markdown', data: `# ${value}` };
          },
        },
      ],
    });
    assert.equal((await fetchers()).data.page.format, 'markdown');
    const run = (value: string) => runFetcher('page', { type: 'domain', value });
    assert.deepEqual((await run('x')).data, { outcome: 'success', format: 'markdown', data: '# x' });
    const none = await run('none');
    assert.deepEqual(
      [none.status, none.data, none.message],
      [200, { outcome: 'failure', format: 'error', error: 'None.' }, 'None.'],
    );
    assert.equal((await run('throw')).status, 500);
    assert.equal((await runFetcher('other', { type: 'domain', value: 'x' })).status, 404);
    assert.equal((await runFetcher('page', {} as { type: string; value: string })).status, 400);
  });
});

describe('the health of a plugin', () => {
  it('is OK unless a function says otherwise, also one that is set later', async (context) => {
    const plugin = createPlugin({ name: 'lab', classification: 'TLP:CLEAR', log: QUIET });
    const { request, close } = await startPlugin(plugin);
    context.after(close);
    assert.deepEqual([(await request('/healthz/live')).text, (await request('/healthz/ready/')).text], ['OK', 'OK']);
    plugin.use('readiness', () => false);
    assert.equal((await request('/healthz/ready')).status, 503);
    assert.equal((await request('/healthz/live')).status, 200);
  });
});

describe('jwksTokens', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] };
  const validate = jwksTokens({
    url: 'http://keys',
    audience: 'lab',
    fetch: async () => new Response(JSON.stringify(keys)),
  });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = (claims: object, header: object = {}) => {
    const signed = `${part({ alg: 'ES256', kid: 'k', ...header })}.${part({ aud: 'lab', exp: Date.now() / 1000 + 60, ...claims })}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };

  it('accepts a token of the audience, and names its user', async () => {
    assert.equal((await validate(token({ email: 'ada@example.org' }))).user, 'ada@example.org');
  });

  it('refuses every other', async () => {
    const refused = [
      'x',
      'a.b.c',
      token({ aud: 'other' }),
      token({ exp: 1 }),
      token({ exp: undefined }),
      token({ nbf: Date.now() / 1000 + 600 }),
      token({}, { alg: 'none' }),
      token({}, { alg: 'HS256' }),
      token({}, { alg: 'RS256' }),
      token({}, { kid: 'other' }),
      `${token({}).slice(0, -6)}AAAAAA`,
    ];
    for (const one of refused) await assert.rejects(validate(one), AuthenticationFailed);
  });
});
