import { InvalidInput } from '../../errors/errors.ts';
import { defineDocument } from '../schema/document-definition.ts';
import {
  boolean,
  classification,
  date,
  dateNow,
  enumeration,
  group,
  identifier,
  integer,
  keyword,
  text,
} from '../schema/field-builders.ts';
import type { GroupRule } from '../schema/field-spec.ts';
import { logRule, STATUSES } from './record-parts.ts';

export const CASE_ESCALATIONS = ['normal', 'focus', 'crisis'] as const;
export const CASE_ITEM_TYPES = ['event', 'hit', 'case', 'reference', 'folder', 'markdown'] as const;
/** Collections that a case rule may run on. */
export const CASE_RULE_INDEXES = ['hit', 'event'] as const;

function refuse(path: string, message: string): never {
  throw new InvalidInput('invalid_document', message, { at: path });
}

/** Cases lie in no folder; a folder's value is its name. */
const itemRule: GroupRule = (item, path) => {
  if (item.type === 'case' && item.parent !== undefined && item.parent !== null) {
    refuse(`${path}.parent`, 'Case items must be root-level (parent must be null)');
  }
  return item.type === 'folder' ? { ...item, value: item.name ?? null } : item;
};

export const caseItem = group('CaseItem', 'Something that belongs to the case.', {
  id: identifier('Identifier of the item.'),
  parent: keyword('Identifier of the folder that it lies in; absent: none.').optional(),
  name: text('Name that people see; absent: the value.').optional(),
  type: enumeration('What the item is.', CASE_ITEM_TYPES),
  value: text('Identifier of the record, address, or the Markdown itself.'),
  visible: boolean('Whether people see it.').default(true),
  classification: classification('Classification of the record that the item stands for.').optional().copyToText(),
}).withRule(itemRule);

const ruleRule: GroupRule = (rule, path) => {
  const { timeframe, expire_after_resolved: expires } = rule;
  if (timeframe !== undefined && timeframe !== null) {
    if (typeof timeframe !== 'number' || !Number.isInteger(timeframe) || timeframe <= 0) {
      refuse(`${path}.timeframe`, 'Rule timeframe must be a positive integer or None');
    }
  } else if (expires) {
    refuse(`${path}.expire_after_resolved`, 'Rule cannot expire after resolved when no timeframe is set');
  }
  return rule;
};

export const caseRule = group('CaseRule', 'Puts records that match a query into the case.', {
  rule_id: identifier('Identifier of the rule.'),
  destination: keyword('Folder path inside the case, may hold expressions.'),
  query: keyword('Lucene query of the records.'),
  author: keyword('User name of who made the rule.'),
  enabled: boolean('Whether the rule works.').default(true),
  created_at: dateNow('When the rule was made.'),
  timeframe: integer('Days for which the rule applies; absent: without limit.', { minimum: 1 }).optional(),
  expire_after_resolved: boolean('The days start when the case was last resolved.').default(false),
  indexes: enumeration('Collections that the query runs on.', CASE_RULE_INDEXES).list().default(['hit']),
}).withRule(ruleRule);

export const caseTask = group('CaseTask', 'Something to do.', {
  id: identifier('Identifier of the task.'),
  complete: boolean('Whether it is done.').default(false),
  assignment: keyword('User name or discipline that it is given to.').optionalNotEmpty(),
  summary: text('What is to be done.'),
  item: keyword('Identifier of the item that it is about.').optionalNotEmpty(),
});

const caseEnrichment = group('CaseEnrichment', 'Annotations of an item.', {
  item: keyword('Identifier of the item.'),
  annotations: keyword('Identifiers of the annotations.').list().default([]),
});

const caseLog = group('CaseLog', 'Change of the case.', {
  timestamp: date('When it was changed.'),
  key: keyword('What was changed.').optional(),
  previous_value: keyword('Value before.').optional(),
  new_value: keyword('Value after.').optional(),
  user: keyword('User name of who changed it.'),
  explanation: text('What happened, in words.').optional(),
}).withRule(logRule('timestamp', 'new_value', 'user'));

export const caseDocument = defineDocument({
  name: 'case',
  title: 'Case',
  description: 'An investigation.',
  idField: 'case_id',
  classificationField: 'classification',
  defaultSort: [{ field: 'created', order: 'desc' }],
  carriesIndexName: true,
  growsWithoutLimit: true,
  classifiedEntries: 'items',
  fields: {
    case_id: identifier('Identifier, made at creation.'),
    classification: classification('Highest classification of what the case holds.').copyToText(),
    title: text('Name that people see.'),
    summary: text('What it is about, in a sentence.'),
    overview: text('What is known, as Markdown.').optional(),
    escalation: enumeration('How urgent it is.', CASE_ESCALATIONS).default('normal'),
    status: enumeration('State of the work.', STATUSES).default('open'),
    created: dateNow('When the case was made.').optional(),
    visible: boolean('Whether people see it.').default(true),
    updated: date('When the case was last changed.').optional(),
    start: date('Time of the earliest record.').optional(),
    end: date('Time of the latest record.').optional(),
    targets: keyword('Who or what is attacked.').list().default([]).optional(),
    threats: keyword('Who or what attacks.').list().default([]).optional(),
    indicators: keyword('Indicators that matter in the case.').list().default([]).optional(),
    participants: keyword('Users who work on the case.').list().default([]).optional(),
    items: caseItem.list().default([]).optional(),
    enrichments: caseEnrichment.list().default([]).optional(),
    rules: caseRule.list().default([]).optional(),
    tasks: caseTask.list().default([]).optional(),
    log: caseLog.list().default([]).optional(),
  },
});

export type Case = typeof caseDocument.Type;
