import { parseDateMath } from '../../../../../src/datastore/query-language/date-parsing.ts';
import type { LeafSyntax, SyntaxBound } from '../../../../../src/datastore/query-language/syntax-tree.ts';
import type { Translate } from '../../../i18n/translation.ts';
import { fieldOf } from '../language/query-fields.ts';
import { separateWords, written } from '../words/word-clause.ts';
import type { ExplanationContext } from './explain-query.ts';

/** Longer values are cut: an explanation is read, not copied. */
const MAX_VALUE_LENGTH = 200;

/** Says one condition, or its opposite, in a sentence. */
export function explainCondition(leaf: LeafSyntax, negated: boolean, context: ExplanationContext): string {
  const { t } = context;
  const field = nameOf(leaf.field, t);
  const existing = existenceOf(leaf);
  if (existing === '*') return t(negated ? 'query.explain.nothing' : 'query.explain.everything');
  if (existing !== undefined) {
    return t(negated ? 'query.explain.missing' : 'query.explain.exists', { field: nameOf(existing, t) });
  }
  if (leaf.field === undefined && context.wordFields !== undefined && leaf.kind !== 'range') {
    return explainWord(leaf, negated, context);
  }
  const key = <Name extends ConditionKey>(name: Name) => `query.explain.${negated ? 'isNot' : 'is'}.${name}` as const;
  switch (leaf.kind) {
    case 'words':
    case 'phrase':
      return explainValue(leaf, field, key, context);
    case 'range':
      return t(key('range'), { field, bounds: boundsOf(leaf, context) });
    case 'prefix':
      return t(key('prefix'), { field, value: shortened(leaf.text) });
    case 'wildcard':
      return t(key('wildcard'), { field, value: shortened(leaf.pattern) });
    case 'regexp':
      return t(key('regexp'), { field, value: shortened(leaf.pattern) });
    case 'fuzzy':
      return t(key('fuzzy'), { field, value: shortened(leaf.text), count: leaf.maxEdits });
    case 'any_value':
      return t(negated ? 'query.explain.missing' : 'query.explain.exists', { field });
  }
}

type ConditionKey =
  | 'value'
  | 'word'
  | 'words'
  | 'phrase'
  | 'sloppy'
  | 'network'
  | 'range'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | 'fuzzy';
type KeyOf = <Name extends ConditionKey>(name: Name) => `query.explain.${'is' | 'isNot'}.${Name}`;

/** Says what `expandWords` makes of a word without a field. */
function explainWord(leaf: LeafSyntax, negated: boolean, { t }: ExplanationContext): string {
  const form = negated ? 'isNot' : 'is';
  const isPlain = leaf.kind === 'words' || leaf.kind === 'phrase' || leaf.kind === 'prefix';
  if (!isPlain) return t(`query.explain.${form}.patternAnywhere`, { value: shortened(written(leaf)) });
  const isEach = leaf.kind === 'words' && separateWords(leaf).length > 1;
  return t(`query.explain.${form}.${isEach ? 'eachAnywhere' : 'anywhere'}`, { value: shortened(leaf.text) });
}

function explainValue(
  leaf: Extract<LeafSyntax, { kind: 'words' | 'phrase' }>,
  field: string,
  key: KeyOf,
  { fields, now, t }: ExplanationContext,
): string {
  const type = leaf.field === undefined ? 'text' : fields && fieldOf(fields, leaf.field)?.type;
  const value = shortened(leaf.text);
  if (type === 'ip' && leaf.text.includes('/')) return t(key('network'), { field, value });
  if (type === 'date') return t(key('value'), { field, value: dateWords(leaf.text, false, now) });
  if (type !== 'text') return t(key('value'), { field, value });
  if (leaf.kind === 'phrase' && leaf.slop > 0) return t(key('sloppy'), { field, value, count: leaf.slop });
  const isOneWord = !/\s/.test(leaf.text.trim());
  if (isOneWord) return t(key('word'), { field, value });
  return t(key(leaf.kind === 'phrase' ? 'phrase' : 'words'), { field, value });
}

/** Returns the field that `_exists_:field` and `field:*` ask for; `*` for all records. */
function existenceOf(leaf: LeafSyntax): string | undefined {
  if (leaf.kind === 'any_value') return leaf.field ?? '*';
  return leaf.field === '_exists_' && (leaf.kind === 'words' || leaf.kind === 'phrase') ? leaf.text : undefined;
}

function nameOf(field: string | undefined, t: Translate): string {
  if (field === undefined) return t('query.explain.defaultField');
  if (field === '*') return t('query.explain.anyField');
  return field.includes('*') ? t('query.explain.fieldLike', { field: shortened(field) }) : shortened(field);
}

function boundsOf(
  { field, lower, upper }: Extract<LeafSyntax, { kind: 'range' }>,
  { fields, now, t }: ExplanationContext,
): string {
  const isDate = field !== undefined && fields !== undefined && fieldOf(fields, field)?.type === 'date';
  const shown = ({ text, inclusive }: SyntaxBound, roundUp: boolean) =>
    isDate ? dateWords(text, roundUp === inclusive, now) : shortened(text);
  const words = (bound: SyntaxBound, side: 'lower' | 'upper') => {
    const value = shown(bound, side === 'upper');
    const kind = isDate ? 'dates' : 'numbers';
    return t(`query.explain.bounds.${kind}.${side}${bound.inclusive ? 'Included' : 'Excluded'}`, { value });
  };
  const [from, to] = [lower && words(lower, 'lower'), upper && words(upper, 'upper')];
  if (from !== undefined && to !== undefined) return t('query.explain.bounds.both', { from, to });
  return from ?? to ?? t('query.explain.bounds.open');
}

/** Returns a date as written, with the moment that date math or a short form stands for now. */
function dateWords(text: string, roundUp: boolean, now: Date): string {
  const time = parseDateMath(text, now, { roundUp });
  if (typeof time !== 'number') return shortened(text);
  const iso = new Date(time).toISOString();
  const moment = iso.replace('T', ' ').replace(/(?::00)?\.\d+Z$/, ' UTC');
  return text === iso ? moment : `${shortened(text)} (${moment})`;
}

function shortened(value: string): string {
  return value.length <= MAX_VALUE_LENGTH ? value : `${value.slice(0, MAX_VALUE_LENGTH).toWellFormed()} …`;
}
