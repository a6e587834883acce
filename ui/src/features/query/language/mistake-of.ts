import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';

/** Returns in words why a query cannot be read; undefined for a query that can. */
export function mistakeOf(query: string): string | undefined {
  try {
    parseSyntax(query);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
