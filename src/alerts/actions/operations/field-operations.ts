import { hitDocument } from '../../../documents/kinds/hit.ts';
import { fieldCatalogue } from '../../../documents/schema/field-catalogue.ts';
import { readFieldValue } from '../../../documents/schema/read-document.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';
import { isTriadError } from '../../../errors/errors.ts';
import {
  BASIC_LIMIT,
  executed,
  type HitUpdates,
  type Operation,
  refused,
  specified,
  textArgument,
} from '../operation.ts';

const PRIORITIES = ['reliability', 'severity', 'volume', 'confidence', 'score'] as const;
const FIELDS = Object.keys(fieldCatalogue(hitDocument));

/** `change_field`: gives any field of alerts another value. */
export function changeField(service: HitUpdates): Operation {
  return {
    specification: specified({
      id: 'change_field',
      title: 'Change Field',
      short: 'Give a field of alerts another value',
      long: 'Sets a field of every alert of the query.\n\n- `field`: dotted path of the field.\n- `value`: what it holds from then on.',
      roles: ['automation_advanced', 'actionrunner_advanced', 'admin'],
      steps: [{ args: { field: [], value: [] }, options: { field: FIELDS } }],
    }),
    onlyUpdates: true,
    async run({ selection }, given) {
      const { query } = selection;
      const field = textArgument(given, 'field') ?? '';
      if (!FIELDS.includes(field)) {
        const message = `Field '${field}' does not exist. You must pick a valid entry from the howler index.`;
        return [refused(query, 'Invalid field', message)];
      }
      if (!Object.hasOwn(given, 'value')) return [refused(query, 'Invalid Value', 'A value must be provided.')];
      const { value } = given;
      const change = { operation: 'SET', key: field, value } as const;
      await selection.update(service, [change]);
      return [executed(query, `Field '${field}' updated to value '${pythonText(value)}' for all matching hits.`)];
    },
  };
}

/** `prioritization`: sets one of the numbers by which alerts are ranked. */
export function prioritization(service: HitUpdates): Operation {
  return {
    specification: specified({
      id: 'prioritization',
      title: 'Change Prioritization',
      priority: 10,
      short: 'Rank alerts higher or lower',
      long: 'Sets one of the numbers by which alerts are ranked, for every alert of the query.\n\n- `field`: which number. Default: score.\n- `value`: a number, as text. Default: 0.0.',
      steps: [{ args: { field: [], value: [] }, options: { field: PRIORITIES } }],
    }),
    limit: BASIC_LIMIT,
    onlyUpdates: true,
    async run({ selection }, given) {
      const { query } = selection;
      const field = textArgument(given, 'field') ?? 'score';
      const text = given.value === '' ? '' : (textArgument(given, 'value') ?? '0.0');
      const key = `howler.${field}`;
      if (!PRIORITIES.some((known) => known === field)) {
        const message = `Field '${key}' does not exist. You must pick from one of the following values: ${PRIORITIES.join(', ')}.`;
        return [refused(query, 'Invalid field', message)];
      }
      const value = readNumber(key, text);
      if (value === undefined) {
        const message = `'${text}' is not a valid value. It must be a float (i.e. 12.34)`;
        return [refused(query, 'Invalid Value', message)];
      }
      const change = { operation: 'SET', key, value } as const;
      await selection.update(service, [change]);
      return [executed(query, `Field '${key}' updated to value '${decimal(value)}' for all matching hits.`)];
    },
  };
}

function readNumber(path: string, text: string): number | undefined {
  // In a document an empty text stands for the default.
  if (text === '') return undefined;
  try {
    const value = readFieldValue(hitDocument, path, text);
    return typeof value === 'number' ? value : undefined;
  } catch (error) {
    if (isTriadError(error) && error.kind === 'invalid_input') return undefined;
    throw error;
  }
}

/** Whole numbers are shown with a decimal, as clients know them. */
function decimal(value: number): string {
  return Number.isInteger(value) ? `${pythonText(value)}.0` : pythonText(value);
}
