import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import type {
  ClauseSyntax,
  GroupSyntax,
  LeafSyntax,
  SyntaxNode,
} from '../../../../../src/datastore/query-language/syntax-tree.ts';
import { escapedTerm, quotedBound, quotedValue } from '../../../../../src/datastore/query-language/written-values.ts';
import { type FieldCondition, type Filter, rangeFilter, valueFilter, valuesFilter } from './filter.ts';

/** Marks a filter that is off where filters are kept as strings. No query begins with it. */
const OFF = '~';

/**
 * Returns the query of a filter, in the language of the query bar; whether the filter is off does not
 * matter.
 */
export function filterQuery(filter: Filter): string {
  if (filter.kind === 'query') return filter.excluded ? `NOT (${filter.text})` : filter.text;
  const { field, condition } = filter;
  return `${filter.excluded ? 'NOT ' : ''}${conditionQuery(field, condition)}`;
}

/** Returns a filter as a string for addresses and views: its query, with `~` in front while it is off. */
export function writeFilter(filter: Filter): string {
  return `${filter.off ? OFF : ''}${filterQuery(filter)}`;
}

/**
 * Reads what `writeFilter` wrote, and any other query: one condition of one field becomes a filter of
 * that field, everything else one that keeps the query as it is.
 */
export function readFilter(text: string): Filter {
  const off = text.startsWith(OFF);
  const query = off ? text.slice(OFF.length) : text;
  const clause = onlyClause(syntaxOf(query));
  const read = clause && (fieldFilterOf(clause) ?? excludedQuery(clause, query));
  return { ...(read ?? { kind: 'query', text: query, excluded: false }), off };
}

/** Returns the filter with the opposite meaning. A query that cannot be read stays as it is. */
export function inverted(filter: Filter): Filter {
  if (filter.kind === 'query' && !filter.excluded && syntaxOf(filter.text) === undefined) return filter;
  return { ...filter, excluded: !filter.excluded };
}

function conditionQuery(name: string, condition: FieldCondition): string {
  const field = escapedTerm(name);
  switch (condition.kind) {
    case 'is':
      return `${field}:${quotedValue(condition.value)}`;
    case 'one_of':
      return `${field}:(${condition.values.map(quotedValue).join(' OR ')})`;
    case 'exists':
      return `_exists_:${quotedValue(name)}`;
    case 'range': {
      const { lower, upper } = condition;
      const [open, close] = [lower?.inclusive === false ? '{' : '[', upper?.inclusive === false ? '}' : ']'];
      return `${field}:${open}${lower ? quotedBound(lower.text) : '*'} TO ${upper ? quotedBound(upper.text) : '*'}${close}`;
    }
  }
}

function syntaxOf(query: string): GroupSyntax | undefined {
  try {
    return parseSyntax(query);
  } catch {
    return undefined;
  }
}

function onlyClause(group: GroupSyntax | undefined): ClauseSyntax | undefined {
  return group?.clauses.length === 1 ? group.clauses[0] : undefined;
}

function fieldFilterOf({ modifier, node }: ClauseSyntax): Filter | undefined {
  const excluded = modifier === 'prohibited';
  if (node.kind === 'group') return groupFilter(node, excluded);
  const field = nameOfField(node);
  if (field === undefined) return undefined;
  if (node.kind === 'range') return rangeFilter(field, node, { excluded });
  if (node.kind === 'any_value' || node.field === '_exists_') return valueFilter(field, null, { excluded: !excluded });
  const value = textOf(node);
  return value === undefined ? undefined : valueFilter(field, value, { excluded });
}

/** Returns the one field that a clause asks for; undefined for a pattern and for the default field. */
function nameOfField(node: LeafSyntax): string | undefined {
  const name = node.field === '_exists_' ? textOf(node) : node.field;
  return name === undefined || name === '' || name === '_exists_' || name.includes('*') ? undefined : name;
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.kind === 'phrase') return node.slop === 0 ? node.text : undefined;
  return node.kind === 'words' && !node.severalWords ? node.text : undefined;
}

/** Reads `field:(a OR b)`. */
function groupFilter({ clauses }: GroupSyntax, excluded: boolean): Filter | undefined {
  const [first] = clauses;
  if (first === undefined || first.node.kind === 'group') return undefined;
  const field = nameOfField(first.node);
  const values = clauses.map(({ conjunction, modifier, node }) => {
    const isAlternative = conjunction !== 'and' && modifier === 'none' && node.kind !== 'group';
    return isAlternative && node.field === field ? textOf(node) : undefined;
  });
  if (field === undefined || !values.every((value) => value !== undefined)) return undefined;
  return valuesFilter(field, values, { excluded });
}

/** Reads `NOT (any query)`. */
function excludedQuery({ modifier, node }: ClauseSyntax, query: string): Filter | undefined {
  if (modifier !== 'prohibited' || node.kind !== 'group') return undefined;
  if (!query.startsWith('NOT (') || !query.endsWith(')')) return undefined;
  return { kind: 'query', text: query.slice('NOT ('.length, -1), excluded: true, off: false };
}
