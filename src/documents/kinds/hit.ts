import { defineDocument } from '../schema/document-definition.ts';
import {
  caseInsensitiveKeyword,
  date,
  enumeration,
  float,
  group,
  hexHash,
  identifier,
  keyword,
} from '../schema/field-builders.ts';
import { recordFields } from './ecs/record.ts';
import { ASSESSMENTS, comment, lead, log, outline, STATUSES } from './record-parts.ts';

/** Levels of scrutiny of an alert. */
export const SCRUTINIES = ['unseen', 'surveyed', 'scanned', 'inspected', 'investigated'] as const;
/** Levels of severity of an alert. */
export const HIT_ESCALATIONS = ['miss', 'hit', 'alert', 'evidence'] as const;
/** The assignment of an unassigned alert. */
export const UNASSIGNED = 'unassigned';

const link = group('Link', 'Link that belongs to the alert.', {
  href: keyword('Address of the link.'),
  title: keyword('Text of the link.').optionalNotEmpty(),
  icon: keyword('Icon: the name of an application, or an address.').optionalNotEmpty(),
});

const incident = group('Incident', 'Where the alert is handled outside of this system.', {
  platform: keyword('Name of the other system.'),
  incident_id: keyword('Identifier in the other system.').optionalNotEmpty(),
  url: keyword('Link into the other system.').optionalNotEmpty(),
});

const labels = group('Label', 'Labels by kind.', {
  assignments: keyword('Teams that the alert is meant for.').list().default([]),
  generic: keyword('Labels without a kind.').list().default([]),
  insight: keyword('Insights.').list().default([]),
  mitigation: keyword('Mitigations.').list().default([]),
  victim: keyword('Victims.').list().default([]),
  campaign: keyword('Campaigns.').list().default([]),
  threat: keyword('Threats.').list().default([]),
  tuning: keyword('What to change in the analytic.').list().default([]),
  operation: keyword('Operations.').list().default([]),
});

/** Kinds of labels. */
export const LABEL_SETS = Object.keys(labels.spec.content.kind === 'group' ? labels.spec.content.fields : {});

const votes = group('Votes', 'What people think of the alert.', {
  benign: keyword('E-mail addresses of users who think it harmless.').list().default([]),
  obscure: keyword('E-mail addresses of users who cannot tell.').list().default([]),
  malicious: keyword('E-mail addresses of users who think it an attack.').list().default([]),
});

const metric = 'as the analytic rates it, apart from what it found.';

const howler = group('HowlerData', 'What triage needs and does.', {
  id: identifier('Identifier of the alert, made at creation.'),
  analytic: caseInsensitiveKeyword('Analytic that raised the alert.'),
  assignment: keyword('User name of who works on it, or `unassigned`.').default(UNASSIGNED),
  data: keyword('Raw records that led to the alert.').list().default([]).notStored(),
  links: link.list().default([]),
  detection: caseInsensitiveKeyword('Detection of the analytic that raised the alert.').optional(),
  hash: hexHash('Hash of analytic, detection and raw records, to recognise the same alert.'),
  related: keyword('Identifiers of related records and cases.').list().default([]),
  reliability: float(`Reliability, ${metric}`).optional(),
  severity: float(`Severity, ${metric}`).optional(),
  volume: float(`Volume, ${metric}`).optional(),
  confidence: float(`Confidence, ${metric}`).optional(),
  score: float('Score by which alerts are put in order.').default(0).optional(),
  status: enumeration('State of the work.', STATUSES).default('open'),
  scrutiny: enumeration('How closely it has been looked at.', SCRUTINIES).default('unseen'),
  escalation: enumeration('How serious it is taken to be.', HIT_ESCALATIONS).default('hit'),
  expiry: date('When it may be deleted.').optional(),
  assessment: enumeration('Judgement that ended the triage.', ASSESSMENTS).optional(),
  rationale: keyword('Why it was judged so.').optional(),
  triaged: date('When it was judged.').optional(),
  comment: comment.list().default([]),
  log: log.list().default([]),
  monitored: keyword('Link to where it is watched.').optional(),
  reported: keyword('Link to the report.').optional(),
  mitigated: keyword('Link to what was done against it.').optional(),
  outline: outline.optional(),
  incidents: incident.list().default([]),
  labels: labels.default({ assignments: [], generic: [] }).optional(),
  votes: votes.default({ benign: [], obscure: [], malicious: [] }).optional(),
  dossier: lead.list().default([]),
});

export const hitDocument = defineDocument({
  name: 'hit',
  title: 'Hit',
  description: 'An alert.',
  idField: 'howler.id',
  classificationField: 'classification',
  defaultSort: [{ field: 'event.created', order: 'desc' }],
  carriesIndexName: true,
  growsWithoutLimit: true,
  hasHitMetadata: true,
  fields: { ...recordFields, howler },
});

export type Hit = typeof hitDocument.Type;
