import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { flag, integer, names, refusing, text } from '../../input/input-kinds.ts';
import { actorWith, serverWith } from '../../testing/open-service-server.ts';
import type { ServiceApp } from './request-input.ts';

const Query = Type.Object({
  rows: integer({ minimum: 0, maximum: 100, default: 25 }),
  query: Type.Optional(text()),
  fl: Type.Optional(names()),
  exact: flag(),
});
const Body = Type.Object({
  title: Type.String(),
  tags: Type.Optional(Type.Array(Type.String())),
  owner: refusing(Type.String({ minLength: 1 }), () => new InvalidInput('owner_missing', 'Name an owner.')),
});
const ByName = Type.Object({ name: Type.String() });

const routes = (app: ServiceApp) => {
  app.get('/search', { access: 'public', schema: { querystring: Query } }, async ({ query }) => {
    // Compiles because the schema types what the handler gets.
    const rows: number = query.rows;
    const exact: boolean = query.exact;
    const fields: readonly string[] | undefined = query.fl;
    return { rows, exact, fields, query: query.query };
  });
  app.put('/thing/:name', { access: 'public', schema: { params: ByName, body: Body } }, async ({ body, params }) => {
    const title: string = body.title;
    return { ...body, title, name: params.name };
  });
};

describe('the input of a route', () => {
  const { app } = serverWith(routes);

  it('is read by the schemas of the route, with leniency and defaults', async () => {
    const answers = [
      ['/search', { rows: 25, exact: false }],
      ['/search?rows=&query=&fl=&exact', { rows: 25, exact: false }],
      ['/search?rows=7&exact=TRUE&fl=a,%20b,&query=x', { rows: 7, exact: true, fields: ['a', 'b'], query: 'x' }],
      ['/search?rows=1&rows=2&fl=a&fl=b&other=1', { rows: 1, exact: false, fields: ['a', 'b'] }],
    ] as const;
    for (const [url, data] of answers) assert.deepEqual((await app.inject(url)).json().data, data, url);
  });

  it('loses members that nothing describes', async () => {
    const payload = { title: 't', owner: 'o', tags: null, isAdmin: true };
    const answer = await app.inject({ method: 'PUT', url: '/thing/n', payload });
    assert.deepEqual(answer.json().data, { title: 't', owner: 'o', name: 'n' });
  });

  const refused = [
    ['{"owner": "o"}', 'argument_missing', 'The argument title is missing. It must be a string.'],
    ['{"title": 5, "owner": "o"}', 'invalid_argument', 'The argument title must be a string, not the number 5.'],
    [
      '{"title": "t", "tags": [1], "owner": "o"}',
      'invalid_argument',
      'The argument tags[0] must be a string, not the number 1.',
    ],
    ['{"title": "t"}', 'owner_missing', 'Name an owner.'],
    ['{"title": "t", "owner": ""}', 'owner_missing', 'Name an owner.'],
    ['[]', 'invalid_body', 'Invalid data format'],
    ['null', 'invalid_body', 'Invalid data format'],
  ] as const;
  for (const [body, code, message] of refused) {
    it(`is refused in words: ${body}`, async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await app.inject({ method: 'PUT', url: '/thing/n', headers, payload: body });
      assert.equal(answer.statusCode, 400);
      assert.deepEqual([answer.json().code, answer.json().message], [code, message]);
    });
  }

  it('names the limits of a number', async () => {
    const answer = await app.inject('/search?rows=101');
    assert.equal(answer.json().message, 'The argument rows must be a whole number from 0 to 100, not "101".');
  });

  it('is refused in the words of the service, where it has some', async () => {
    const own = serverWith(routes, {
      wording: ({ at }, part) => new InvalidInput('own', `${part}: ${at}`),
    });
    assert.equal((await own.app.inject('/search?rows=x')).json().message, 'querystring: rows');
  });

  it('is refused with the data that the route gives to its refusals', async () => {
    const { app: guarded } = serverWith(
      (server) =>
        server.put(
          '/own',
          { access: { privileges: ['W'], roles: ['user'] }, schema: { body: Body }, refusal: { success: false } },
          async () => true,
        ),
      { actor: actorWith('W', 'user') },
    );
    const send = (headers: Record<string, string>) =>
      guarded.inject({ method: 'PUT', url: '/own', payload: {}, headers });
    assert.deepEqual((await send({ authorization: 'x' })).json().response, { success: false });
    assert.equal((await send({})).json().response, undefined, 'the guard refuses without data');
  });
});
