import { QUERY_PROBLEMS } from '../../../../src/datastore/regular-language/query-problems.ts';

/** Why a query cannot be asked, as the parser says it. */
export const queryProblems = QUERY_PROBLEMS;
