import { hitDocument } from '../../../documents/kinds/hit.ts';
import type { SearchedField } from '../values/sought-value.ts';

/** Fields that summarise an alert, with values of any type. */
const OUTLINE = 'howler.outline.threat howler.outline.target howler.outline.indicators';
const NAMES = `source.domain destination.domain server.domain source.address destination.address server.address url.domain
  url.registered_domain dns.question.name dns.question.registered_domain dns.answers.name dns.answers.data
  tls.client.server_name host.name host.hostname related.hosts ${OUTLINE}`;
const ADDRESSES = `source.ip destination.ip server.ip host.ip observer.ip source.nat.ip destination.nat.ip
  source.original.ip destination.original.ip dns.resolved_ip threat.indicator.ip email.parent.source
  email.parent.destination related.ip source.address destination.address server.address dns.answers.data
  related.hosts ${OUTLINE}`;
const hashFields = (algorithm: string) => `file.hash.${algorithm} process.hash.${algorithm}
  process.parent.hash.${algorithm} email.attachments.file.hash.${algorithm} threat.indicator.file.hash.${algorithm}
  related.hash ${OUTLINE}`;

/** Fields of alerts that may hold a value of a type. */
const FIELDS: Readonly<Record<string, string>> = {
  ipv4: ADDRESSES,
  ipv6: ADDRESSES,
  domain: NAMES,
  hostname: NAMES,
  url: `url.full url.original related.uri http.request.referrer event.url ${OUTLINE}`,
  email_address: `email.from.address email.to.address email.cc.address email.bcc.address email.sender.address
    email.reply_to.address email.parent.from.address email.parent.to.address threat.indicator.email.address user.email
    user.name source.user.email destination.user.email azure.upn related.user ${OUTLINE}`,
  email_id: 'email.message_id email.local_id email.parent.message_id related.ids',
  md5: hashFields('md5'),
  sha1: hashFields('sha1'),
  sha256: hashFields('sha256'),
  user_agent: `user_agent.original ${OUTLINE}`,
  userid: `user.id user.name user.email source.user.id source.user.name destination.user.id destination.user.name
    process.user.id process.user.name related.user ${OUTLINE}`,
  howler_id: 'howler.id howler.related related.id related.ids',
  'tenant-id': 'azure.tenant_id cloud.tenant_id',
  port: 'source.port destination.port url.port source.nat.port destination.nat.port source.original.port destination.original.port',
  hbs_agent_id: 'agent.id',
  hbs_oid: 'related.ids',
  // Other sources may add these.
  cve: `vulnerability.id ${OUTLINE}`,
  attack_id: `threat.technique.id threat.tactic.id ${OUTLINE}`,
};

const fieldsByType = new Map(
  Object.entries(FIELDS).map(([type, paths]) => [type, paths.split(/\s+/).flatMap((path) => fieldAt(path))]),
);

/** Types of values that alerts may hold. */
export const ALERT_TYPES: readonly string[] = [...fieldsByType.keys()];

/** Returns the fields of alerts that may hold a value of this type. */
export function fieldsOfType(type: string): readonly SearchedField[] {
  return fieldsByType.get(type) ?? [];
}

function fieldAt(path: string): readonly SearchedField[] {
  const field = hitDocument.fieldByPath.get(path);
  if (field === undefined) throw new Error(`alerts have no field ${path}`);
  return [{ path, kind: field.searchKind }];
}
