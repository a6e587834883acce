import type { RouteModule } from '../../../http/route-access.ts';
import type { SearchShares } from '../../../search/search-shares.ts';
import { READ } from '../../record-access.ts';
import { FuzzyBody, FuzzyReply } from './fuzzy-schemas.ts';
import type { FuzzySearch } from './fuzzy-service.ts';

/** Milliseconds. */
const TIMEOUT = 60_000;

export interface FuzzyRouteDependencies {
  fuzzy: FuzzySearch;
  shares: SearchShares;
}

export const fuzzyRoutes =
  ({ fuzzy, shares }: FuzzyRouteDependencies): RouteModule =>
  (app) => {
    app.post(
      '/api/v2/fuzzy/search',
      {
        access: READ,
        body: 'lenient_json',
        schema: {
          summary: 'Search for a plain string',
          description:
            'Finds similar words, words that begin with the query, and the query in any field, and sorts by relevance. Addresses, hashes, e-mail addresses, URLs and domains have to be equal.',
          body: FuzzyBody,
          response: { 200: FuzzyReply },
        },
      },
      ({ actor, body }) => shares.run(actor.username, TIMEOUT, (deadline) => fuzzy.search(actor, body, deadline)),
    );
  };
