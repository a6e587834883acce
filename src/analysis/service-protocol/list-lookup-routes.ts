import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { names, refusing, text } from '../../input/input-kinds.ts';
import type { ListLookups } from './list-lookups.ts';
import { WORKERS } from './worker-routes.ts';

const ById = pathParameters({ qhash: ['Identifier of the entry: a hash.', 'a'.repeat(64)] });
const TagTypes = Type.Object({
  tag_types: Type.Optional(names({ description: 'Types of tags, separated by commas. Default: all.' })),
});
const hashMissing = (kind: string) => () =>
  new InvalidInput('hash_missing', `The member ${kind} with the hash is missing.`, { at: kind, response: [] });
const SsdeepBody = Type.Object({ ssdeep: refusing(text(), hashMissing('ssdeep')) });
const TlshBody = Type.Object({ tlsh: refusing(text(), hashMissing('tlsh')) });
const TagsBody = Type.Record(Type.String(), Type.Array(Type.String()), {
  examples: [{ 'network.static.domain': ['host.example'] }],
});

/** Serves look-ups in both lists to the workers of services (contract/analysis.md section 8.7). */
export const listLookupRoutes =
  ({ lists }: { readonly lists: ListLookups }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/safelist/',
      { access: WORKERS, schema: { summary: 'Safe values of tags', querystring: TagTypes } },
      ({ query: { tag_types: types } }) => lists.safeTags(types),
    );

    app.get('/api/v1/safelist/signatures/', { access: WORKERS, schema: { summary: 'Safe signatures' } }, () =>
      lists.safeSignatures(),
    );

    app.get(
      '/api/v1/safelist/:qhash/',
      { access: WORKERS, schema: { summary: 'An entry of the safelist', params: ById } },
      ({ params: { qhash } }) => lists.safelisted(qhash),
    );

    app.get(
      '/api/v1/badlist/:qhash/',
      { access: WORKERS, schema: { summary: 'An entry of the badlist', params: ById } },
      ({ params: { qhash } }) => lists.badlisted(qhash),
    );

    app.post(
      '/api/v1/badlist/ssdeep/',
      { access: WORKERS, schema: { summary: 'Entries of the badlist with a similar ssdeep', body: SsdeepBody } },
      ({ body: { ssdeep } }) => lists.similarSsdeep(ssdeep),
    );

    app.post(
      '/api/v1/badlist/tlsh/',
      { access: WORKERS, schema: { summary: 'Entries of the badlist with a similar TLSH', body: TlshBody } },
      ({ body: { tlsh } }) => lists.similarTlsh(tlsh),
    );

    app.post(
      '/api/v1/badlist/tags/',
      { access: WORKERS, schema: { summary: 'Entries of the badlist with these tags', body: TagsBody } },
      ({ body }) => lists.badTags(body),
    );
  };
