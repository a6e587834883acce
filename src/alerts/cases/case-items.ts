import type { Case } from '../../documents/kinds/case.ts';
import { type Event, eventDocument } from '../../documents/kinds/event.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import type { Actor } from '../../identity/actor.ts';

export type CaseItem = NonNullable<Case['items']>[number];
export type CaseLogEntry = NonNullable<Case['log']>[number];

/** A record that a case can hold. */
export type CaseRecord = Hit | Event;

/** Items of these types stand for a record, and the record lists the case in turn. */
export const RECORD_TYPES = ['hit', 'event'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];
/** Definitions of the records, by type. */
export const RECORD_DOCUMENTS: Readonly<Record<RecordType, DocumentDefinition<unknown>>> = {
  hit: hitDocument,
  event: eventDocument,
};
export type RecordItem = CaseItem & { readonly type: RecordType };

export function isRecordItem(item: CaseItem): item is RecordItem {
  return RECORD_TYPES.some((type) => type === item.type);
}

/** Identifies the record of an item among records of every kind. */
export function recordKey({ type, value }: Pick<CaseItem, 'type' | 'value'>): string {
  return `${type} ${value}`;
}

/** Items of a case; a stored case may lack the list. */
export function itemsOf({ items }: Pick<Case, 'items'>): readonly CaseItem[] {
  return items ?? [];
}

/** Returns an item for an alert, with its classification. The name defaults to its identifier. */
export function hitItem(hit: Hit, options: { readonly name?: string; readonly parent?: string } = {}): CaseItem {
  const { name = hit.howler.id, parent } = options;
  return {
    id: newId(),
    name,
    type: 'hit',
    value: hit.howler.id,
    visible: true,
    classification: hit.classification,
    ...(parent === undefined ? {} : { parent }),
  };
}

/** A folder at the root of a case. */
export function folderItem(name: string): CaseItem {
  return { id: newId(), name, type: 'folder', value: name, visible: true };
}

/** Returns an entry for the log of a case or record. */
export function logEntry({ username }: Pick<Actor, 'username'>, explanation: string): CaseLogEntry {
  return { timestamp: formatDate(new Date()), user: username, explanation };
}

/** Targets, threats and indicators of records: each list sorted, each value once. */
export interface Gathered {
  readonly targets: string[];
  readonly threats: string[];
  readonly indicators: string[];
}

/** Adds what new records of a case say to what was gathered before. */
export function mergeGathered(before: Pick<Case, keyof Gathered>, added: Gathered): Gathered {
  const merged = (name: keyof Gathered) => [...new Set([...(before[name] ?? []), ...added[name]])].sort();
  return { targets: merged('targets'), threats: merged('threats'), indicators: merged('indicators') };
}

/** Gathers what records say of the attack that they belong to. */
export function gatheredFrom(records: readonly Pick<CaseRecord, 'related' | 'howler'>[]): Gathered {
  const targets = new Set<string>();
  const threats = new Set<string>();
  const indicators = new Set<string>();
  for (const { related, howler } of records) {
    for (const values of Object.values(related ?? {})) {
      for (const value of Array.isArray(values) ? values : [values]) if (value) indicators.add(String(value));
    }
    const { outline } = howler;
    if (outline?.target) targets.add(outline.target);
    if (outline?.threat) threats.add(outline.threat);
    for (const indicator of outline?.indicators ?? []) if (indicator) indicators.add(indicator);
  }
  return { targets: [...targets].sort(), threats: [...threats].sort(), indicators: [...indicators].sort() };
}
