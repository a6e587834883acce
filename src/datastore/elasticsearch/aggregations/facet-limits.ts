import { Unsupported } from '../../../errors/errors.ts';
import type { CheckedFacet } from '../../port/datastore-adapter.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { parseRegexp, type RegexpNode } from '../../regular-language/regexp-parser.ts';
import type { Dsl } from '../queries/engine-values.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { sentValue } from './aggregated-values.ts';

/**
 * Returns the limits of the values of a facet.
 * @throws InvalidInput `invalid_value`, `invalid_query`; Unsupported `pattern_unsupported`
 */
export function facetLimits({ field, include, exclude }: CheckedFacet, vendor: SearchEngine['vendor']): Dsl {
  for (const pattern of [include, exclude]) if (typeof pattern === 'string') rejectUnread(pattern, vendor);
  // OpenSearch takes both as patterns, or both as lists.
  const mixed = (typeof include === 'string') !== (typeof exclude === 'string');
  const asPattern = include !== undefined && exclude !== undefined && mixed;
  const said = (limit: string | readonly string[]): unknown => {
    if (typeof limit === 'string') return limit;
    const values = limit.map((value) => String(sentValue(field, value)));
    return asPattern ? values.map(literalPattern).join('|') : values;
  };
  return {
    ...(include === undefined ? {} : { include: said(include) }),
    ...(exclude === undefined || exclude.length === 0 ? {} : { exclude: said(exclude) }),
  };
}

/** A regular expression of Lucene for one text. */
function literalPattern(text: string): string {
  return text === '' ? '()' : text.replace(/[.?+*|{}[\]()"\\#@&<>~^$]/g, '\\$&');
}

/** Facets take no flags for their patterns, and OpenSearch reads `~` there as any other character. */
function rejectUnread(pattern: string, vendor: SearchEngine['vendor']): void {
  compileRegexp(pattern);
  if (vendor !== 'opensearch' || !hasComplement(parseRegexp(pattern))) return;
  throw new Unsupported(
    'pattern_unsupported',
    'OpenSearch limits the values of a facet by no pattern with ~. Exclude what it should not match instead.',
    { at: 'include' },
  );
}

function hasComplement(node: RegexpNode): boolean {
  switch (node.kind) {
    case 'not':
      return true;
    case 'either':
    case 'both':
      return node.options.some(hasComplement);
    case 'sequence':
      return node.parts.some(hasComplement);
    case 'repeat':
      return hasComplement(node.inner);
    default:
      return false;
  }
}
