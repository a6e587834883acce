import { defineDocument } from '../schema/document-definition.ts';
import {
  boolean,
  caseInsensitiveKeyword,
  dateNow,
  enumeration,
  group,
  identifier,
  keyword,
  mapping,
  text,
} from '../schema/field-builders.ts';
import { ASSESSMENTS } from './record-parts.ts';

const comment = group('Comment', 'Comment on the analytic or one of its detections.', {
  id: identifier('Identifier of the comment.'),
  timestamp: dateNow('When it was written.'),
  modified: dateNow('When it was last changed.'),
  detection: keyword('Detection that it is about; absent: the whole analytic.').optionalNotEmpty(),
  value: text('What it says.'),
  user: keyword('User name of the author.'),
  reactions: mapping('Reaction of each user, by user name.', keyword('Name of the reaction.')).default({}),
});

const notebook = group('Notebook', 'Notebook that helps to investigate.', {
  id: identifier('Identifier of the notebook.'),
  detection: keyword('Detection that it is about; absent: the whole analytic.').optionalNotEmpty(),
  value: keyword('Link to the notebook.'),
  name: keyword('Name that people see.'),
  user: keyword('User name of who added it.'),
});

const triageSettings = group('TriageOptions', 'How alerts of the analytic are triaged.', {
  valid_assessments: keyword('Assessments that may be given.')
    .list()
    .default([...ASSESSMENTS]),
  skip_rationale: boolean('Do not ask for a rationale.').default(false),
  dossiers: keyword('Identifiers of dossiers shown during triage.').list().default([]),
  rationales: keyword('Rationales that are suggested.').list().default([]),
});

export const analyticDocument = defineDocument({
  name: 'analytic',
  title: 'Analytic',
  description: 'A detector that raises alerts.',
  idField: 'analytic_id',
  defaultSort: [{ field: 'name', order: 'asc' }],
  fields: {
    analytic_id: identifier('Identifier, made at creation.'),
    notebooks: notebook.list().default([]),
    name: caseInsensitiveKeyword('Name of the analytic, as alerts carry it.'),
    owner: keyword('User name of the owner.').optionalNotEmpty(),
    contributors: keyword('Users who changed it or raised alerts with it.').list().default([]),
    description: text('What it detects, as Markdown.').optionalNotEmpty(),
    detections: caseInsensitiveKeyword('Detections that its alerts named.').list().default([]),
    comment: comment.list().default([]),
    rule: keyword('Query of a rule.').optionalNotEmpty(),
    rule_type: enumeration('Language of the rule.', ['lucene', 'eql', 'sigma']).optional(),
    rule_crontab: keyword('When the rule was meant to run, as a cron expression.').optionalNotEmpty(),
    triage_settings: triageSettings.default({
      skip_rationale: false,
      valid_assessments: [...ASSESSMENTS],
      rationales: [],
    }),
  },
});

export type Analytic = typeof analyticDocument.Type;
