import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Case, caseDocument } from '../../documents/kinds/case.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { pythonText } from '../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { rejectCostlyQueries } from '../saved-query.ts';
import { type CaseLogEntry, RECORD_DOCUMENTS } from './case-items.ts';
import type { CaseChange } from './case-store.ts';

export type CaseRule = NonNullable<Case['rules']>[number];

/** Members that only the program writes. */
const FIXED: readonly string[] = ['case_id', 'created', 'updated', 'log'];
/** Too large to be shown before and after in the log. */
const COMPOUND: readonly string[] = ['enrichments', 'rules', 'tasks'];

/** Returns the changed members with the log; throws InvalidInput for fixed members and wrong values. */
export function readCaseChange(
  present: Case,
  change: Readonly<Record<string, unknown>>,
  username: string,
  classification: ClassificationEngine,
): CaseChange {
  const keys = Object.keys(change);
  rejectUnchangeable(keys);
  const merged = mergeDocument(caseDocument, present, change, { replaceLists: true, classification });
  const before = present as Readonly<Record<string, unknown>>;
  const rules = withAuthors(merged.rules, username, present.rules);
  const after: Readonly<Record<string, unknown>> = { ...merged, rules };
  const now = formatDate(new Date());
  const log = keys.map((key) => ({ timestamp: now, user: username, key, ...describe(key, before[key], after[key]) }));
  const members = Object.fromEntries(keys.map((key) => [key, after[key]]));
  return { ...members, updated: now, log: [...(present.log ?? []), ...log] };
}

function rejectUnchangeable(keys: readonly string[]): void {
  if (keys.includes('items')) {
    // The misspelling is the public system's, and clients may look for the text.
    const message = 'You cannot modify the list of items via cae updates. Use the dedicated endpoints.';
    throw new InvalidInput('case_items_elsewhere', message, { at: 'items' });
  }
  const fixed = keys.filter((key) => FIXED.includes(key));
  if (fixed.length > 0) {
    const message = `Cannot modify immutable field(s): ${fixed.join(', ')}`;
    throw new InvalidInput('case_member_fixed', message, { at: fixed[0] });
  }
  const unknown = keys.find((key) => !Object.hasOwn(caseDocument.root.fields, key));
  if (unknown === undefined) return;
  throw new InvalidInput('unknown_field', `A case has no member ${unknown}.`, { at: unknown });
}

/** The kinds of records that a rule looks for. */
export function definitionsOf({ indexes }: CaseRule): readonly DocumentDefinition<unknown>[] {
  return [...new Set(indexes)].map((index) => RECORD_DOCUMENTS[index]);
}

/** @throws InvalidInput `query_too_complex`, when new queries together exceed the limits of one query */
export function rejectCostlyRules(rules: readonly CaseRule[], stored: Case['rules'] = []): void {
  const known = new Set(stored.map(({ query }) => query));
  const changed = rules.filter(({ query }) => !known.has(query));
  rejectCostlyQueries(changed.map((rule) => ({ text: rule.query, definitions: definitionsOf(rule) })));
}

/** Gives new rules the user who sends them as author. @throws InvalidInput `query_too_complex` */
export function withAuthors(rules: Case['rules'], username: string, stored: Case['rules']): Case['rules'] {
  if (rules) rejectCostlyRules(rules, stored);
  const authors = new Map(stored?.map(({ rule_id: id, author }) => [id, author]));
  return rules?.map((rule) => ({ ...rule, author: authors.get(rule.rule_id) ?? username }));
}

type Described = Pick<CaseLogEntry, 'explanation' | 'previous_value' | 'new_value'>;

/** Describes a changed member for the log. Absent values are left out. */
function describe(key: string, before: unknown, after: unknown): Described {
  if (COMPOUND.includes(key)) return { explanation: `Updated ${key}` };
  if (Array.isArray(before) || Array.isArray(after)) return describeList(key, texts(before), texts(after));
  return {
    explanation: `Updated ${key} from '${pythonText(before ?? null)}' to '${pythonText(after ?? null)}'`,
    ...shown(before, 'previous_value'),
    ...shown(after, 'new_value'),
  };
}

function describeList(key: string, before: readonly string[], after: readonly string[]): Described {
  const added = onlyIn(after, before);
  const removed = onlyIn(before, after);
  const parts = [
    ...(added.length === 0 ? [] : [`added [${added.join(', ')}]`]),
    ...(removed.length === 0 ? [] : [`removed [${removed.join(', ')}]`]),
  ];
  return {
    explanation: `Updated ${key}${parts.length === 0 ? ' (no changes)' : `: ${parts.join('; ')}`}`,
    ...shown(before.join(', ') || undefined, 'previous_value'),
    ...shown(after.join(', ') || undefined, 'new_value'),
  };
}

function shown(value: unknown, name: 'previous_value' | 'new_value'): Described {
  return value === undefined || value === null ? {} : { [name]: pythonText(value) };
}

function texts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(pythonText) : [];
}

function onlyIn(values: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => !others.includes(value)).sort();
}
