import { classification, dateNow, group, keyword, mapping } from '../../schema/field-builders.ts';
import { fileAnalysis } from './analysis-results.ts';
import { aws, azure, cbs, cloud, functionAsService, gcp } from './clouds.ts';
import { error, event, related, rule, vulnerability } from './events.ts';
import { file } from './files.ts';
import { agent, container, host, registry, userAgent } from './hosts.ts';
import { mail } from './mail.ts';
import { dns, http, network, networkInterface, observer, tls, url } from './network.ts';
import { account, organization, userGroup } from './people.ts';
import { endpoint, server } from './places.ts';
import { runningProcess } from './processes.ts';
import { threat } from './threats.ts';

const schemaVersion = group('ECSVersion', 'Version of the common schema.', {
  version: keyword('Version of the common schema that the record follows.').default('8.3.0'),
});

/** The common fields of alerts and events: the Elastic Common Schema with additions, in reading order. */
export const recordFields = {
  timestamp: dateNow('When it happened.'),
  classification: classification('Who may see the record.').copyToText(),
  labels: mapping('Free pairs of key and value.', keyword('Value of the label.')).default({}),
  tags: keyword('Free keywords.').list().default([]),
  message: keyword('What happened, in one line for people.').default(''),
  assemblyline: fileAnalysis.optional(),
  agent: agent.optional(),
  aws: aws.optional(),
  azure: azure.optional(),
  cbs: cbs.optional(),
  cloud: cloud.optional(),
  container: container.optional(),
  destination: endpoint.optional(),
  dns: dns.optional(),
  ecs: schemaVersion.default({}),
  error: error.optional(),
  event: event.optional(),
  email: mail.optional(),
  faas: functionAsService.optional(),
  file: file.optional(),
  gcp: gcp.optional(),
  group: userGroup.optional(),
  host: host.optional(),
  http: http.optional(),
  observer: observer.optional(),
  interface: networkInterface.optional(),
  network: network.optional(),
  organization: organization.optional(),
  process: runningProcess.optional(),
  registry: registry.optional(),
  related: related.optional(),
  rule: rule.optional(),
  server: server.optional(),
  source: endpoint.optional(),
  threat: threat.optional(),
  tls: tls.optional(),
  url: url.optional(),
  user: account.optional(),
  user_agent: userAgent.optional(),
  vulnerability: vulnerability.optional(),
};
