import type { IndicatorKind } from './read-indicators.ts';

/** Fields that summarise an alert, with values of any kind. */
const OUTLINE = 'howler.outline.threat howler.outline.target';
const hashFields = (algorithm: string) =>
  `howler.outline.indicators related.hash file.hash.${algorithm} process.hash.${algorithm}
  process.parent.hash.${algorithm} email.attachments.file.hash.${algorithm} threat.indicator.file.hash.${algorithm}
  ${OUTLINE}`;

const FIELDS: Readonly<Record<IndicatorKind, string>> = {
  ip: `howler.outline.indicators related.ip source.ip destination.ip ${OUTLINE} host.ip server.ip observer.ip
    source.address destination.address server.address source.nat.ip destination.nat.ip source.original.ip
    destination.original.ip dns.resolved_ip dns.answers.data threat.indicator.ip email.parent.source
    email.parent.destination related.hosts`,
  domain: `howler.outline.indicators related.hosts destination.domain dns.question.name ${OUTLINE} source.domain
    server.domain host.name host.hostname url.domain url.registered_domain dns.question.registered_domain
    dns.answers.name dns.answers.data tls.client.server_name source.address destination.address server.address`,
  url: `howler.outline.indicators related.uri url.full url.original ${OUTLINE} http.request.referrer event.url`,
  mail: `howler.outline.indicators related.user email.from.address email.to.address ${OUTLINE} email.cc.address
    email.bcc.address email.sender.address email.reply_to.address email.parent.from.address email.parent.to.address
    threat.indicator.email.address user.email user.name source.user.email destination.user.email azure.upn`,
  md5: hashFields('md5'),
  sha1: hashFields('sha1'),
  sha256: hashFields('sha256'),
};

/**
 * Returns the fields of alerts and events that may hold an indicator of a kind, those that say most
 * first. The enrichment service searches the same fields (src/enrichment/own-sources/alerts).
 */
export function alertIndicatorFields(kind: IndicatorKind): readonly string[] {
  return FIELDS[kind].split(/\s+/);
}
