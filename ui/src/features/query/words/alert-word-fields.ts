/**
 * The way in which a field of alerts is asked for a word: `any_case` for values that contain it in any
 * case; `small` for values that are indexed in small letters; `text` for words of prose; `whole` for
 * identifiers, which are equal to it.
 */
export type WordMatch = 'any_case' | 'small' | 'text' | 'whole';

const anyCase = (paths: string) =>
  paths
    .trim()
    .split(/\s+/)
    .map((path) => [path, 'any_case'] as const);

/**
 * The fields that words without a field are looked for in. The default field of the service holds the
 * classification of an alert alone (contract of the alert service, section 5.1).
 */
export const WORD_FIELDS: ReadonlyMap<string, WordMatch> = new Map([
  ...anyCase('message event.reason event.action'),
  ...anyCase('howler.outline.summary howler.outline.threat howler.outline.target howler.outline.indicators'),
  ['howler.analytic', 'small'],
  ['howler.detection', 'small'],
  ['howler.comment.value', 'text'],
  ...anyCase('howler.rationale howler.assignment howler.labels.generic howler.labels.campaign howler.labels.threat'),
  ...anyCase('tags rule.name threat.technique.id threat.technique.name threat.tactic.name vulnerability.id'),
  ...anyCase('related.user related.hosts related.uri related.signature'),
  ...anyCase('user.name user.full_name source.user.name destination.user.name host.name host.hostname'),
  ...anyCase('source.domain destination.domain url.full dns.question.name'),
  ...anyCase('file.name file.path process.name process.executable process.command_line process.parent.command_line'),
  ...anyCase('email.subject email.from.address email.to.address'),
  ['howler.id', 'whole'],
  ['event.id', 'whole'],
  ['event.code', 'whole'],
  ['related.id', 'whole'],
  ['related.ids', 'whole'],
  ['rule.id', 'whole'],
] as const);

export const WORD_FIELD_NAMES: readonly string[] = [...WORD_FIELDS.keys()];
