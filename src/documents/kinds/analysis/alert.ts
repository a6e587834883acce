import { defineDocument } from '../../schema/document-definition.ts';
import {
  boolean,
  classification,
  date,
  dateNow,
  domain,
  enumeration,
  group,
  integer,
  ip,
  keyword,
  long,
  mapping,
  md5,
  sha1,
  sha256,
  uri,
} from '../../schema/field-builders.ts';
import { ANY_KEY } from '../../schema/field-spec.ts';
import { ALERT_PRIORITIES, ALERT_STATUSES, archiveTime, expiry, notStored, verdict } from './parts.ts';

/** States of the deeper scan that follows an alert. */
export const EXTENDED_SCAN_STATES = ['submitted', 'skipped', 'incomplete', 'completed'] as const;
/** Verdicts of a detail, harmless ones first. */
export const DETAIL_VERDICTS = ['safe', 'info', 'suspicious', 'highly suspicious', 'malicious'] as const;
/** Configuration, exploit, implant, obfuscation, threat actor. */
export const DETAIL_SUBTYPES = ['CFG', 'EXP', 'IMP', 'OB', 'TA'] as const;

const detail = group(
  'AlertDetail',
  'A detail of an alert.',
  notStored({
    type: keyword('Kind of detail.'),
    value: keyword('The detail.'),
    verdict: enumeration('How bad it is.', DETAIL_VERDICTS),
    subtype: enumeration('Kind of the kind.', DETAIL_SUBTYPES).optional(),
  }),
);

const details = detail.list().default([]);

const detailed = group('AlertDetails', 'The details of an alert by kind.', {
  attack_pattern: details,
  attack_category: details,
  attrib: details,
  av: details,
  behavior: details,
  domain: details,
  heuristic: details,
  ip: details,
  uri: details,
  yara: details,
});

const results = group('AlertResults', 'What the analysis found.', {
  attrib: keyword('Who is behind it.').list().default([]).copyToText(),
  av: keyword('Names that antivirus engines gave.').list().default([]).copyToText(),
  score: integer('Highest score.'),
  detailed,
  request_end_time: date('When the analysis ended.').internal(),
  ...notStored({
    behavior: keyword('What the file does.').list().default([]).copyToText(),
    domain: domain('Domains.').list().default([]).copyToText(),
    domain_dynamic: domain('Domains seen while it ran.').list().default([]),
    domain_static: domain('Domains found in the file.').list().default([]),
    ip: ip('IP addresses.').list().default([]).copyToText(),
    ip_dynamic: ip('IP addresses seen while it ran.').list().default([]),
    ip_static: ip('IP addresses found in the file.').list().default([]),
    uri: uri('URIs.').list().default([]).copyToText(),
    uri_dynamic: uri('URIs seen while it ran.').list().default([]),
    uri_static: uri('URIs found in the file.').list().default([]),
    yara: keyword('YARA rules that matched.').list().default([]).copyToText(),
  }),
});

const screenshot = group(
  'Screenshot',
  'A picture of the file.',
  notStored({
    name: keyword('Name of the screenshot.'),
    description: keyword('What the screenshot shows.'),
    img: sha256('SHA-256 of the screenshot.'),
    thumb: sha256('SHA-256 of the small screenshot.'),
  }),
);

const alertFile = group('AlertFile', 'The file of an alert.', {
  md5: md5('MD5 of the file.').copyToText(),
  name: keyword('Name of the file.').copyToText(),
  sha1: sha1('SHA-1 of the file.').copyToText(),
  sha256: sha256('SHA-256 of the file.').copyToText(),
  size: long('Size of the file in bytes.').notStored(),
  type: keyword('Type of the file.').copyToText(),
  screenshots: screenshot.list().default([]),
});

/** A change of an alert. */
export const alertEvent = group(
  'AlertEvent',
  'A change of an alert.',
  notStored({
    entity_type: enumeration('Whether a user or a workflow changed it.', ['user', 'workflow']),
    entity_id: keyword('Identifier of who changed the alert.'),
    entity_name: keyword('Name of who changed the alert.'),
    ts: dateNow('When it was changed.'),
    labels: keyword('Labels that were added.').list().default([]),
    labels_removed: keyword('Labels that were taken off.').list().default([]),
    status: enumeration('Status from then on.', ALERT_STATUSES).optional(),
    priority: enumeration('Priority from then on.', ALERT_PRIORITIES).optional(),
  }),
);

const relation = group('SubmissionRelation', 'A submission that the alert was made of.', {
  child: keyword('A submission that the alert was made of.'),
  parent: keyword('The submission that it came from.').optional(),
});

const attack = group(
  'AlertAttack',
  'Techniques of ATT&CK.',
  notStored({
    pattern: keyword('Techniques of ATT&CK.').list().default([]),
    category: keyword('Tactics of ATT&CK.').list().default([]),
  }),
);

const heuristic = group('AlertHeuristics', 'Heuristics that matched.', {
  name: keyword('Heuristics that matched.').list().default([]).notStored(),
});

export const alertDocument = defineDocument({
  name: 'alert',
  title: 'Alert',
  description: 'A submission that people should look at.',
  idField: 'alert_id',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'reporting_ts', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    alert_id: keyword('Identifier of the alert.').copyToText(),
    al: results,
    archive_ts: archiveTime,
    attack,
    classification: classification('Who may see it.'),
    expiry_ts: expiry,
    extended_scan: enumeration('State of the deeper scan that followed.', EXTENDED_SCAN_STATES),
    file: alertFile,
    filtered: boolean('Whether parts were left out because of their classification.').default(false),
    heuristic,
    label: keyword('Labels.').list().default([]).copyToText(),
    metadata: mapping('Metadata by name.', keyword('A value.'), { keys: ANY_KEY }).default({}).notStored().copyToText(),
    owner: keyword('User who works on the alert.').optional(),
    priority: enumeration('How urgent it is.', ALERT_PRIORITIES).optional(),
    reporting_ts: date('When the alert was made.'),
    submission_relations: relation.list(),
    sid: keyword('Identifier of the submission.'),
    status: enumeration('What was found out about it.', ALERT_STATUSES).optional(),
    ts: date('When the file was submitted.'),
    type: keyword('Kind of submission that the alert comes from.'),
    verdict: verdict.default({}),
    events: alertEvent.list().default([]),
    workflows_completed: boolean('Whether all workflows looked at it.').default(false),
  },
});

export type AnalysisAlert = typeof alertDocument.Type;
