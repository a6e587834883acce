import { analysis, dataOf, READ_HEADERS } from '../../api/clients.ts';
import type { LoadValues } from '../query/sources/counted-values.ts';

/** Counts values of submissions by the facets of the analysis service. */
export const submissionValues: LoadValues = ({ field, query, filters, rows }, signal) => {
  const params = { path: { index: 'submission', field } };
  const body = { query, filters: [...filters], size: rows };
  const options = { params, body, headers: READ_HEADERS, signal };
  return dataOf(analysis.POST('/api/v4/search/facet/{index}/{field}/', options));
};
