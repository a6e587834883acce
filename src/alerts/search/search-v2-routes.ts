import { InvalidInput } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { registerSearch } from './register-search-routes.ts';
import type { SearchArguments } from './search-arguments.ts';
import { searchableDocument, searchableDocuments } from './search-collections.ts';
import { withSearchWording } from './search-error.ts';
import { readFacet, readFieldNames, readSearch, readSelection } from './search-input.ts';
import type { SearchRouteDependencies } from './search-routes.ts';
import * as schemas from './search-schemas.ts';

const wording = (given: SearchArguments, run: () => Promise<unknown>) =>
  withSearchWording(2, given.text('query') ?? '', run);

/** `/api/v2/search/*`: several kinds at once, `hit,event`, and whole documents. */
export const searchV2Routes =
  ({ search, aggregations, shares }: SearchRouteDependencies): RouteModule =>
  (app) => {
    registerSearch(app, shares, {
      path: '/api/v2/search/:indexes',
      summary: 'Search several kinds of documents',
      body: schemas.SearchBody,
      reply: schemas.SearchReply,
      wording,
      run: async (call) => {
        const { actor, given, parameter } = call;
        if (given.flag('use_archive')) {
          throw new InvalidInput('archive_missing', 'There is no archive to search: leave use_archive out.', {
            at: 'use_archive',
          });
        }
        const input = readSearch(call);
        return search.searchAcross(actor, searchableDocuments(parameter('indexes')), input);
      },
    });

    registerSearch(app, shares, {
      path: '/api/v2/search/count/:index',
      summary: 'Count the documents that match',
      body: schemas.CountBody,
      reply: schemas.CountReply,
      run: async (call) => {
        const { actor, given, parameter } = call;
        const definition = searchableDocument(parameter('index'));
        given.requiredQuery();
        const count = () => search.count(actor, definition, readSelection(call));
        return { count: await wording(given, count) };
      },
    });

    registerSearch(app, shares, {
      path: '/api/v2/search/facet/:indexes',
      summary: 'Count the values of fields over several kinds of documents',
      body: schemas.FacetsBody,
      reply: schemas.FacetsReply,
      wording,
      run: async (call) => {
        const { actor, given, parameter } = call;
        const definitions = searchableDocuments(parameter('indexes'));
        return aggregations.facetsAcross(actor, definitions, readFieldNames(given), readFacet(call));
      },
    });
  };
