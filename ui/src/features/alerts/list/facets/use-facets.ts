import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Facets, facetsOf } from '../../../../api/alert-searches.ts';
import { useLater } from '../../../../design/forms/use-later.ts';
import type { FieldInfo } from '../../../../shell/session-context.tsx';
import { inAnyCase } from '../../../query/words/word-clause.ts';
import type { AlertSearch } from '../results/alert-source.ts';
import type { AlertResults } from '../results/use-alert-results.ts';

/** Values of a field that are counted at first. */
const VALUES = 50;

/** Counts the values of fields in a result, once it is there. */
export function useFacets(fields: readonly string[], results: AlertResults | undefined) {
  return useQuery({
    queryKey: ['alerts', 'facets', fields, ...keyOf(results)],
    queryFn: ({ signal }) => (results === undefined ? {} : read(results.search, fields, [], signal)),
    enabled: fields.length > 0 && results?.total !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Counts values that contain what is typed, of those fields alone that may have more values than were
 * counted at first.
 */
export function useFoundFacets(
  typed: string,
  facets: Facets,
  described: Readonly<Record<string, FieldInfo>> | undefined,
  results: AlertResults | undefined,
) {
  const wanted = useLater(typed.trim());
  const fields = Object.keys(facets).filter(
    (field) => Object.keys(facets[field] ?? {}).length >= VALUES && described?.[field]?.type === 'keyword',
  );
  return useQuery({
    queryKey: ['alerts', 'facets', 'found', fields, wanted, ...keyOf(results)],
    queryFn: async ({ signal }): Promise<Facets> => {
      if (results === undefined) return {};
      const { search } = results;
      const found = await Promise.all(
        fields.map((field) => read(search, [field], [`${field}:${inAnyCase(wanted)}`], signal)),
      );
      return Object.assign({}, ...found);
    },
    enabled: wanted !== '' && fields.length > 0 && results?.total !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function keyOf(results: AlertResults | undefined) {
  return [results?.search.request, results?.search.indexes, results?.generation, results?.found];
}

function read(
  { request, indexes }: AlertSearch,
  fields: readonly string[],
  further: readonly string[],
  signal: AbortSignal,
): Promise<Facets> {
  const filters = [...request.filters, ...further];
  return facetsOf({ fields, query: request.query, filters, rows: VALUES }, { indexes, signal });
}
