import { date, dateNow, enumeration, float, group, integer, ip, keyword, uri } from '../../schema/field-builders.ts';

const CATEGORIES =
  'authentication configuration database driver email file host iam intrusion_detection malware network package process registry session threat web';

const TYPES =
  'access admin allowed change connection creation deletion denied end error group indicator info installation protocol start user';

const KINDS = 'alert enrichment event metric state pipeline_error signal';

export const event = group('ECSEvent', 'What happened, when, and who recorded it.', {
  action: keyword('What was done, such as user-password-change.').optional(),
  category: enumeration('Broad categories of what happened.', CATEGORIES.split(' ')).list().optional(),
  code: keyword('Code that the source gives such events.').optional(),
  count: integer('How many events the record stands for.').optionalNotEmpty(),
  created: date('When the record was made at the source.').optional(),
  dataset: keyword('Data set that the record comes from.').optional(),
  duration: integer('Nanoseconds from start to end.').optional(),
  end: date('When it ended.').optional(),
  hash: keyword('Hash of the raw record, to tell whether it was changed.').optional(),
  id: keyword('Identifier; the alert’s own.').optional(),
  ingested: dateNow('When the record arrived here.'),
  kind: enumeration('What kind of record this is.', KINDS.split(' ')).optional(),
  module: keyword('Module of the agent that collected it.').optional(),
  original: keyword('The raw record as text.').optional(),
  outcome: enumeration('How it ended.', ['failure', 'success', 'unknown']).optional(),
  provider: keyword('Program or subsystem that made the record.').optional(),
  reason: keyword('Why it happened, in the words of the source.').optional(),
  reference: keyword('Link to more about this kind of event.').optional(),
  risk_score: float('Risk as the source rates it.').optional(),
  risk_score_norm: float('Risk from 0 to 100.').optional(),
  sequence: integer('Number that orders the events of a source.').optional(),
  severity: integer('Severity as the source rates it.').optional(),
  start: date('When it began.').optional(),
  timezone: keyword('Time zone that the source’s times are in.').optional(),
  type: enumeration('What kind of happening it was.', TYPES.split(' ')).list().optional(),
  url: keyword('Link to the event in the source.').optional(),
});

export const error = group('Error', 'Error that the record is about.', {
  code: keyword('Code of the error.').optional(),
  message: keyword('Text of the error.').optional(),
});

export const related = group('Related', 'Everything of a kind that occurs in the record, to search in one place.', {
  hash: keyword('Hashes.').list().default([]),
  hosts: keyword('Host names.').list().default([]),
  ip: ip('IP addresses.').list().default([]),
  user: keyword('User names.').list().default([]),
  ids: keyword('Identifiers of other records.').list().default([]),
  id: keyword('Identifier of another record.').optional().deprecated('Use related.ids, which holds several.'),
  uri: uri('URIs.').list().optional(),
  signature: keyword('Names of signatures that matched.').list().optional(),
});

export const rule = group('Rule', 'Rule that raised the record.', {
  author: keyword('Who wrote the rule.').optional(),
  category: keyword('Category that the source puts the rule in.').optional(),
  description: keyword('What the rule finds.').optional(),
  id: keyword('Identifier of the rule in its rule set.').optional(),
  license: keyword('Licence of the rule.').optional(),
  name: keyword('Name of the rule.').optional(),
  reference: keyword('Link to more about the rule.').optional(),
  ruleset: keyword('Rule set that the rule belongs to.').optional(),
  uuid: keyword('Identifier that is unique among all rules.').optional(),
  version: keyword('Version of the rule.').optional(),
});

export const vulnerability = group('Vulnerability', 'Weakness that was found.', {
  category: keyword('Kinds of systems that it concerns.').list().optional(),
  classification: keyword('Scoring system, such as CVSS.').optional(),
  description: keyword('What the weakness is.').optional(),
  enumeration: keyword('Naming system, such as CVE.').optional(),
  id: keyword('Identifier in the naming system.').optional(),
  reference: keyword('Link to more about it.').optional(),
  report_id: keyword('Identifier of the report or scan.').optional(),
});
