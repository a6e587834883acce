import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { InvalidInput, Unavailable } from '../errors/errors.ts';
import { actorWith, serverWith } from '../testing/open-service-server.ts';
import { until } from '../testing/until.ts';

describe('a route', () => {
  it('is not registered without saying who may call it', () => {
    assert.throws(() => serverWith((app) => app.get('/a', async () => 1)), /GET \/a does not say who may call it/);
  });

  it('answers with and without its final slash, without a redirect', async () => {
    const { app } = serverWith((server) => {
      server.get('/collection/', { access: 'public' }, async () => 'c');
      server.get('/thing/:id', { access: 'public' }, async ({ params }) => params);
    });
    for (const url of ['/collection', '/collection/']) assert.deepEqual((await app.inject(url)).json(), { data: 'c' });
    for (const url of ['/thing/x', '/thing/x/'])
      assert.deepEqual((await app.inject(url)).json(), { data: { id: 'x' } });
    assert.deepEqual((await app.inject(`/thing/${'x'.repeat(3000)}`)).json().data.id.length, 3000);
  });

  it('answers HEAD as GET without a body, behind the same guard', async () => {
    const { app } = serverWith((server) => {
      server.get('/open', { access: 'public' }, async () => 'text');
      server.get('/closed', { access: { privileges: ['R'], roles: [] } }, async () => 'text');
    });
    const open = await app.inject({ method: 'HEAD', url: '/open' });
    assert.equal(open.statusCode, 200);
    assert.equal(open.body, '');
    assert.equal((await app.inject({ method: 'HEAD', url: '/closed' })).statusCode, 401);
  });

  it('answers OPTIONS with its methods', async () => {
    const { app } = serverWith((server) =>
      server.get('/a', { access: { privileges: ['R'], roles: [] } }, async () => 1),
    );
    const answer = await app.inject({ method: 'OPTIONS', url: '/a' });
    assert.deepEqual([answer.statusCode, answer.body], [200, '']);
    assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
  });

  it('is told from paths and methods that do not exist', async () => {
    const { app } = serverWith((server) => server.post('/api/v1/hit/', { access: 'public' }, async () => 1));
    const cases: readonly [method: 'PUT' | 'GET', url: string, status: number, message: RegExp][] = [
      ['GET', '/nothing?a=b', 404, /^Api does not exist \(\/nothing\)$/],
      ['PUT', '/api/v1/hit', 404, /^Api does not exist \(\/api\/v1\/hit\)$/],
      ['PUT', '/api/v1/hit/', 405, /does not answer PUT/],
      ['GET', '/api/%zz', 400, /percent-encoded/],
      ['GET', '/api/v1/hit?x=%00', 400, /NUL/],
    ];
    for (const [method, url, status, message] of cases) {
      const answer = await app.inject({ method, url });
      assert.equal(answer.statusCode, status, url);
      assert.match(answer.json().message, message);
    }
  });

  it('is told from wrong methods with and without its final slash, where that makes no difference', async () => {
    const { app } = serverWith((server) => server.post('/api/v1/hit/', { access: 'public' }, async () => 1), {
      finalSlash: 'ignored',
    });
    for (const url of ['/api/v1/hit', '/api/v1/hit/']) {
      assert.equal((await app.inject({ method: 'PUT', url })).statusCode, 405);
      assert.equal((await app.inject({ method: 'POST', url })).statusCode, 200);
    }
  });

  it('takes a path as it is when it stands for the rest of it', async () => {
    const { app } = serverWith((server) =>
      server.get<{ Params: { '*': string } }>('/files/*', { access: 'public' }, async ({ params }) => params['*']),
    );
    const answer = await app.inject('/files/a//b');
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /a\/\/b/);
  });

  it('comes from whom a trusted proxy says, and from the proxy that is not trusted', async () => {
    const routes = (server: FastifyInstance) =>
      server.get('/who', { access: 'public' }, async ({ ip, protocol }) => `${protocol} ${ip}`);
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-forwarded-proto': 'https' };
    const answerOf = async (trustedProxies: readonly string[]) => {
      const { app } = serverWith(routes, { trustedProxies });
      return (await app.inject({ url: '/who', headers })).json().data;
    };
    assert.equal(await answerOf([]), 'http 127.0.0.1');
    assert.equal(await answerOf(['10.0.0.0/8']), 'http 127.0.0.1');
    assert.equal(await answerOf(['127.0.0.1']), 'https 198.51.100.7', 'the first that no trusted proxy vouches for');
    assert.equal(await answerOf(['127.0.0.0/8', '198.51.100.0/24']), 'https 203.0.113.9');
    assert.throws(() => serverWith(routes, { trustedProxies: ['proxy'] }), { code: 'invalid_setting' });
  });

  it('reads only usable values of the headers of a trusted proxy', async () => {
    const routes = (server: FastifyInstance) =>
      server.get('/who', { access: 'public' }, async ({ ip, protocol, host }) => `${protocol}://${host} ${ip}`);
    const { app } = serverWith(routes, { trustedProxies: ['127.0.0.1', '10.0.0.1'] });
    const answerTo = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/who', headers: { host: 'own:5000', ...headers } })).json().data;
    for (const [header, value, expected] of [
      ['x-forwarded-for', '203.0.113.9:443', 'http://own:5000 203.0.113.9'],
      ['x-forwarded-for', '[2001:DB8::0:9]:443', 'http://own:5000 2001:db8::9'],
      ['x-forwarded-for', '203.0.113.9:65536', 'http://own:5000 127.0.0.1'],
      ['x-forwarded-for', '203.0.113.9, text, 10.0.0.1', 'http://own:5000 10.0.0.1'],
      ['x-forwarded-for', '', 'http://own:5000 127.0.0.1'],
      ['x-forwarded-host', 'triad.example.org', 'http://triad.example.org 127.0.0.1'],
      ['x-forwarded-host', 'first.example, [::1]:8443', 'http://[::1]:8443 127.0.0.1'],
      ['x-forwarded-host', 'a@evil.example', 'http://own:5000 127.0.0.1'],
      ['x-forwarded-host', 'evil.example/path', 'http://own:5000 127.0.0.1'],
      ['x-forwarded-proto', 'HTTPS', 'https://own:5000 127.0.0.1'],
      ['x-forwarded-proto', 'javascript', 'http://own:5000 127.0.0.1'],
    ] as const)
      assert.equal(await answerTo({ [header]: value }), expected, value);
  });

  it('is found after its doubled slashes are merged', async () => {
    const { app } = serverWith((server) => server.get('/api/:id/x', { access: 'public' }, async () => 1));
    const answer = await app.inject('//api///x?q=a//b');
    assert.equal(answer.statusCode, 308);
    assert.equal(answer.headers.location, '/api/x?q=a//b');
    assert.equal((await app.inject('/api//x')).statusCode, 308);
    const leading = await app.inject('//api/1/x?q=a//b');
    assert.equal(leading.statusCode, 200);
  });

  it('answers as it is declared alone where the final slash is required', async () => {
    const routes = (server: FastifyInstance) => {
      server.get('/api/thing/', { access: 'public' }, async () => 1);
      server.get('/live', { access: 'public' }, async () => 1);
    };
    const { app } = serverWith(routes, { finalSlash: 'required' });
    assert.equal((await app.inject('/api/thing/')).statusCode, 200);
    assert.equal((await app.inject('/live')).statusCode, 200);
    assert.equal((await app.inject('/live/')).statusCode, 404);
    const answer = await app.inject({ method: 'POST', url: '/api/thing?a=b' });
    assert.equal(answer.statusCode, 405);
    assert.equal(
      answer.json().message,
      'Method not allowed: /api/thing does not answer POST. Its address is /api/thing/.',
    );
    assert.equal((await app.inject({ method: 'OPTIONS', url: '/api/thing/' })).statusCode, 200);
  });
});

describe('compression', () => {
  const large = 'large '.repeat(2000);
  const { app } = serverWith((server) => {
    server.get('/large', { access: 'public' }, async (_request, reply) => {
      reply.header('etag', '5---1');
      return large;
    });
    server.get('/medium', { access: 'public' }, async () => 'x'.repeat(1460));
    server.get('/small', { access: 'public' }, async () => 'x'.repeat(1440));
    server.get('/secret', { access: 'public', compress: false }, async () => large);
    server.get('/nothing', { access: 'public' }, async (_request, reply) => reply.code(204).send());
    server.get('/known', { access: 'public' }, async (_request, reply) => reply.code(304).send());
    server.get('/refused', { access: 'public' }, async () => {
      throw new InvalidInput('invalid', large);
    });
    server.post('/echo', { access: 'public', body: 'text' }, async ({ body }) => body);
  });
  const get = (url: string, encoding: string, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { 'accept-encoding': encoding } });

  it('is the best that the caller offers, for answers larger than a TCP segment', async () => {
    for (const [url, offered, encoding] of [
      ['/large', 'gzip, deflate, br, zstd', 'br'],
      ['/large', 'gzip, deflate', 'gzip'],
      ['/medium', 'br', 'br'],
      ['/refused', 'gzip', 'gzip'],
      ['/large', 'gzip;q=0, identity', undefined],
      ['/large', 'deflate', undefined],
      ['/small', 'br, gzip', undefined],
      ['/secret', 'br, gzip', undefined],
      ['/nothing', 'br, gzip', undefined],
      ['/known', 'br, gzip', undefined],
    ] as const) {
      const { headers } = await get(url, offered);
      assert.equal(headers['content-encoding'], encoding, `${url} ${offered}`);
      if (encoding !== undefined) assert.equal(headers.vary, 'accept-encoding');
    }
  });

  it('changes neither the content nor the version of an answer', async () => {
    const { rawPayload, headers } = await get('/large', 'br');
    assert.equal(brotliDecompressSync(rawPayload).toString(), JSON.stringify({ data: large }));
    assert.equal(headers.etag, '5---1');
    assert.equal(gunzipSync((await get('/large', 'gzip')).rawPayload).toString(), JSON.stringify({ data: large }));
    const head = await get('/large', 'br', 'HEAD');
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', '5---1']);
  });

  it('is not undone in requests', async () => {
    const payload = gzipSync(large);
    const { body } = await app.inject({
      method: 'POST',
      url: '/echo',
      payload,
      headers: { 'content-encoding': 'gzip' },
    });
    assert.ok(body.length < 1000);
  });
});

describe('the answer', () => {
  it('is in the envelope regardless of what a handler returns', async () => {
    const { app } = serverWith((server) => {
      for (const [name, value] of Object.entries({
        text: 'a',
        nothing: undefined,
        null: null,
        list: [1],
        no: false,
        zero: 0,
      })) {
        server.get(`/${name}`, { access: 'public' }, async () => value);
      }
      server.get('/sent', { access: 'public' }, async (_request, reply) => reply.code(201).send({ b: 1, a: 2 }));
      server.get('/warned', { access: 'public' }, async (_request, reply) => {
        reply.warn('careful');
        reply.code(201);
        return 1;
      });
    });
    const data = async (url: string) => (await app.inject(url)).body;
    assert.equal(await data('/text'), '{"data":"a"}');
    assert.equal(await data('/nothing'), '{"data":"plain success"}');
    assert.equal(await data('/null'), '{"data":null}');
    assert.equal(await data('/list'), '{"data":[1]}');
    assert.equal(await data('/no'), '{"data":false}');
    assert.equal(await data('/zero'), '{"data":0}');
    assert.equal(await data('/sent'), '{"data":{"a":2,"b":1}}');
    assert.equal(await data('/warned'), '{"data":1,"warnings":["careful"]}');
    assert.equal((await app.inject('/warned')).headers['content-type'], 'application/json; charset=utf-8');
  });

  it('is empty with status 204 and 304', async () => {
    const { app } = serverWith((server) => {
      for (const status of [204, 304]) {
        server.get(`/${status}`, { access: 'public' }, async (_request, reply) => {
          reply.code(status);
          return 'ignored';
        });
      }
    });
    for (const status of [204, 304]) {
      const answer = await app.inject(`/${status}`);
      assert.equal(answer.statusCode, status);
      assert.equal(answer.body, '');
    }
  });

  it('says what is wrong with the input, and nothing about faults of the program but an id that the log has', async () => {
    const { app, logged } = serverWith((server) => {
      server.get('/wrong', { access: 'public' }, async () => {
        throw new InvalidInput('bad_thing', 'The thing is bad.', { response: { error: 'x' } });
      });
      server.get('/busy', { access: 'public' }, async () => {
        throw new Unavailable('datastore_unavailable', 'The datastore does not answer.', { retryAfter: 2.5 });
      });
      server.get('/fault', { access: 'public' }, async () => {
        throw new TypeError('secret detail');
      });
    });
    const wrong = await app.inject('/wrong');
    assert.equal(wrong.statusCode, 400);
    assert.deepEqual(wrong.json(), { code: 'bad_thing', message: 'The thing is bad.', response: { error: 'x' } });
    const busy = await app.inject('/busy');
    assert.equal(busy.statusCode, 503);
    assert.equal(busy.headers['retry-after'], '3');
    const fault = await app.inject('/fault');
    assert.equal(fault.statusCode, 500);
    assert.doesNotMatch(fault.body, /secret|TypeError|at /);
    const entry = logged.find(({ errorId }) => errorId !== undefined);
    assert.ok(fault.json().message.includes(entry?.errorId));
    assert.match(String(entry?.err), /secret detail/);
  });

  it('names the servers behind the program to those alone who were admitted', async () => {
    const unreachable = async () => {
      throw new Unavailable('datastore_unavailable', 'The search engine at http://10.0.0.7:9200 cannot be reached.');
    };
    const { app, logged } = serverWith(
      (server) => {
        server.get('/open', { access: 'public' }, unreachable);
        server.get('/closed', { access: { privileges: ['R'], roles: ['user'] } }, unreachable);
      },
      { actor: actorWith('R', 'user') },
    );
    const anybody = await app.inject('/open');
    assert.equal(anybody.statusCode, 503);
    assert.doesNotMatch(anybody.body, /10\.0\.0\.7/);
    assert.match(anybody.json().message, new RegExp(String(anybody.headers['x-request-id'])));
    assert.ok(logged.some(({ err }) => String(err).includes('10.0.0.7')));
    const known = await app.inject({ url: '/closed', headers: { authorization: 'any' } });
    assert.match(known.json().message, /10\.0\.0\.7/);
  });
});

describe('closing', () => {
  it('does not wait for connections that callers keep after the last answer', async () => {
    const { app } = serverWith((server) => server.post('/late', { access: 'public', body: 'json' }, async () => 1));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    assert.ok(address !== null && typeof address === 'object');
    const socket = connect(address.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const request = 'POST /late HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    const begun = new Promise((resolve) => app.server.once('request', resolve));
    socket.write(request);
    await begun;
    const closing = app.close();
    socket.write('}');
    const ended = await Promise.race([closing.then(() => true), sleep(3000, false, { ref: false })]);
    socket.destroy();
    await closing;
    assert.match(text, /^HTTP\/1\.1 200 OK/);
    assert.equal(ended, true);
  });

  it('finishes what was begun', async () => {
    let finish = () => {};
    const held = new Promise<string>((resolve) => {
      finish = () => resolve('done');
    });
    let begun = false;
    const { app } = serverWith((server) =>
      server.get('/slow', { access: 'public' }, () => {
        begun = true;
        return held;
      }),
    );
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = fetch(`${url}/slow`);
    await until('the call has begun', () => begun);
    const closed = app.close();
    finish();
    assert.deepEqual(await (await answer).json(), { data: 'done' });
    await closed;
  });
});

describe('the log of requests', () => {
  it('names each request, and holds neither query nor headers', async () => {
    const { app, logged } = serverWith((server) => server.get('/a', { access: 'public' }, async () => 1));
    const answer = await app.inject({
      url: '/a?password=hunter2',
      headers: { authorization: 'Basic c2VjcmV0', 'x-request-id': 'from-caller.1' },
    });
    assert.equal(answer.headers['x-request-id'], 'from-caller.1');
    assert.equal(logged.length, 1);
    assert.equal(logged[0]?.requestId, 'from-caller.1');
    assert.equal(logged[0]?.path, '/a');
    assert.doesNotMatch(JSON.stringify(logged), /hunter2|c2VjcmV0/);
    const other = await app.inject({ url: '/a', headers: { 'x-request-id': 'a\tb' } });
    assert.notEqual(other.headers['x-request-id'], 'a\tb');
  });
});
