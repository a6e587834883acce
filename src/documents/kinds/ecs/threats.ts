import { date, group, integer, ip, keyword, text } from '../../schema/field-builders.ts';
import { file } from './files.ts';

const indicatorMail = group('Email', 'E-mail address as an indicator.', {
  address: keyword('The address.').optional(),
});

const indicator = group('Indicator', 'Sign of a threat.', {
  confidence: keyword('How sure the source is.').optional(),
  description: text('What the indicator means.').optional(),
  email: indicatorMail.optional(),
  file: file.optional(),
  provider: keyword('Who provided the indicator.').optional(),
  reference: keyword('Link to more about it.').optional(),
  scanner_stats: integer('How many scanners found it.').optionalNotEmpty(),
  sightings: integer('How often it was seen.').optionalNotEmpty(),
  ip: ip('IP address.').optional(),
  type: keyword('Kind of indicator, such as ipv4-addr.').optional(),
  first_seen: date('When it was first seen.').optional(),
  last_seen: date('When it was last seen.').optional(),
  port: integer('Port.').optionalNotEmpty(),
});

const matched = group('Matched', 'What matched the indicator.', { atomic: keyword('Value that matched.').optional() });

const enrichment = group('Enrichments', 'Indicator that was found in the record.', {
  indicator: indicator.optional(),
  matched: matched.optional(),
});

const feed = group('Feed', 'Feed that indicators come from.', {
  dashboard_id: keyword('Identifier of the feed’s dashboard.').optional(),
  description: keyword('What the feed holds.').optional(),
  name: keyword('Name of the feed.').optional(),
  reference: keyword('Link to the feed.').optional(),
});

const threatGroup = group('Group', 'Group that attacks.', {
  alias: keyword('Other names of the group.').list().optional(),
  id: keyword('Identifier of the group.').optional(),
  name: keyword('Name of the group.').optional(),
  reference: keyword('Link to more about the group.').optional(),
});

const software = group('Software', 'Software that attackers use.', {
  alias: keyword('Other names of the software.').list().optional(),
  id: keyword('Identifier of the software.').optional(),
  name: keyword('Name of the software.').optional(),
  platform: keyword('Platforms that it runs on.').list().optional(),
  reference: keyword('Link to more about the software.').optional(),
  type: keyword('Kind of software, malware or tool.').optional(),
});

const tactic = group('Tactic', 'Tactic or technique of a framework.', {
  id: keyword('Identifier in the framework.').optional(),
  name: keyword('Name in the framework.').optional(),
  reference: keyword('Link to more about it.').optional(),
});

export const threat = group('Threat', 'Threat, in the terms of a framework such as MITRE ATT&CK.', {
  enrichments: enrichment.list().optional(),
  feed: feed.optional(),
  framework: keyword('Framework that the terms come from.').optional(),
  group: threatGroup.optional(),
  indicator: indicator.optional(),
  software: software.optional(),
  tactic: tactic.optional(),
  technique: tactic.optional(),
});
