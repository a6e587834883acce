import { type FlatField, flatten } from '../../../../design/data/structure/flatten.ts';
import { plainString } from '../../../../json/members.ts';
import type { Alert } from '../../triage/alert.ts';

/** The fields that tell the most about an alert of any analytic, in the order of the overview. */
const FACTS = [
  'howler.outline.threat',
  'howler.outline.target',
  'howler.outline.indicators',
  'message',
  'event.reason',
  'event.action',
  'event.outcome',
  'source.ip',
  'source.domain',
  'source.port',
  'destination.ip',
  'destination.domain',
  'destination.port',
  'user.name',
  'user.email',
  'host.name',
  'host.ip',
  'process.name',
  'process.command_line',
  'process.parent.name',
  'file.name',
  'file.path',
  'file.hash.sha256',
  'url.full',
  'dns.question.name',
  'email.subject',
  'email.from.address',
  'threat.tactic.name',
  'threat.technique.id',
  'threat.technique.name',
  'rule.name',
  'howler.score',
  'howler.confidence',
  'event.provider',
  'organization.name',
];

/** Returns the record without what `metadata` added and what other tabs show. */
export function recordOf(alert: Alert): object {
  const record = Object.entries(alert).filter(([name]) => !name.startsWith('__'));
  return Object.fromEntries(record);
}

function fieldsNamed(alert: Alert, names: readonly string[]): readonly FlatField[] {
  const found = new Map(flatten(recordOf(alert)).fields.map((field) => [field.field, field]));
  return names.flatMap((name) => found.get(name) ?? []);
}

/** Returns the fields that the template of the analytic names, as far as the alert has them. */
export function templateFields(alert: Alert): readonly FlatField[] {
  return fieldsNamed(alert, alert.__template?.keys ?? []);
}

/** Returns the fields that the overview shows without a template. */
export function overviewFields(alert: Alert): readonly FlatField[] {
  const shown = new Set(alert.__template?.keys);
  return fieldsNamed(
    alert,
    FACTS.filter((name) => !shown.has(name)),
  );
}

/** Returns the values of a field one by one. */
export function valuesOf({ value }: FlatField): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.map(plainString);
}

/** Returns the fields whose name or value contains the typed words, in any case. */
export function matchingFields(fields: readonly FlatField[], typed: string): readonly FlatField[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return fields;
  return fields.filter((field) => {
    const text = `${field.field} ${valuesOf(field).join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
