import type { ListDetails, ListEntry, ListSettings } from '../../list-entry.ts';
import { confidenceOf, detailsFrom, isoTime } from '../list-details.ts';
import { strictestMarking } from '../markings.ts';
import { detectedValue, type ListedValue, plainName, typeNamed, valueOfType } from '../selector-values.ts';
import { matchOf } from '../text-list.ts';

/**
 * Fields of a row or an object, by the names that lists give them, in lower case and without
 * punctuation.
 */
const NAMES = {
  value: 'value indicator ioc iocvalue observable selector ioccontent',
  type: 'type ioctype indicatortype observabletype selectortype',
  confidence: 'confidence confidencelevel',
  opinion: 'opinion verdict',
  author: 'author reporter createdby',
  tags: 'tags tag labels',
  killChain: 'killchain killchainphases',
  validFrom: 'validfrom firstseen firstseenutc dateadded listingdate',
  validUntil: 'validuntil expires expiration expirationdate',
  summary: 'summary description comment malwareprintable malware threat listingreason title',
  link: 'link reference urlhauslink',
  marking: 'tlp marking',
} as const;

export type RecordField = keyof typeof NAMES;
export type RecordFields = ReadonlyMap<RecordField, string>;

const FIELDS: ReadonlyMap<string, RecordField> = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.split(' ').map((name) => [name, field as RecordField])),
);
const OPINIONS = ['benign', 'suspicious', 'malicious', 'obscure'] as const;
/** Types of values that accompany others in most tables. */
const NOT_COLUMNS: ReadonlySet<string> = new Set(['port', 'user_agent', 'tenant-id']);

/** Returns the field that a column or key means; undefined for others. */
export function fieldNamed(name: string): RecordField | undefined {
  return FIELDS.get(plainName(name));
}

/** Returns the type of selector that a column or key itself names: `sha256_hash`, `dst_ip`, `url`. */
export function typeOfColumn(name: string): string | undefined {
  const type = typeNamed(name.trim());
  return type === undefined || NOT_COLUMNS.has(type) || type.includes('/') ? undefined : type;
}

/** Reads the value of a row or an object; undefined when it has none. */
export function readRecordValue(fields: RecordFields, valueType: string | undefined): ListedValue | undefined {
  const text = fields.get('value');
  if (text === undefined) return undefined;
  const named = fields.get('type');
  if (named === undefined || named === '')
    return valueType === undefined ? detectedValue(text) : valueOfType(valueType, text);
  const type = typeNamed(named);
  return type === undefined ? undefined : valueOfType(type, text);
}

/** Returns the entry of a row or an object with this value. */
export function recordEntry(list: ListSettings, value: ListedValue, fields: RecordFields): ListEntry {
  return {
    match: matchOf(list, value),
    type: value.type,
    value: value.value,
    marking: strictestMarking(
      wordsOf(fields.get('marking')).map((word) => (/^tlp:/i.test(word) ? word : `TLP:${word}`)),
    ),
    details: fields.size > 1 ? detailsOf(fields) : undefined,
  };
}

function detailsOf(fields: RecordFields): ListDetails | undefined {
  const opinion = fields.get('opinion')?.toLowerCase();
  return detailsFrom({
    opinion: OPINIONS.find((one) => one === opinion),
    confidence: confidenceOf(fields.get('confidence')),
    author: fields.get('author'),
    tags: wordsOf(fields.get('tags')),
    killChain: wordsOf(fields.get('killChain')),
    validFrom: isoTime(fields.get('validFrom')),
    validUntil: isoTime(fields.get('validUntil')),
    summary: fields.get('summary'),
    link: fields.get('link'),
  });
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(/[,;|\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
