export interface FlatField {
  /** The path, `process.parent.name`. */
  readonly field: string;
  /** A value or a list of values; never an object, unless it lies too deep. */
  readonly value: unknown;
}

export interface FlatRecord {
  /** In the order of their names. */
  readonly fields: readonly FlatField[];
  /** True when a limit left something out. */
  readonly isCut: boolean;
}

export interface FlattenLimits {
  readonly maxFields: number;
  /** About as many characters of names and values. */
  readonly maxLength: number;
  readonly maxDepth: number;
}

const LIMITS: FlattenLimits = { maxFields: 900, maxLength: 5_000_000, maxDepth: 32 };

/**
 * Returns the leaves of a record as fields in the order of their names. Lists of plain values stay
 * lists; a list of records gives a list of values for each of their fields, as searches see it. Empty
 * values are left out.
 */
export function flatten(record: unknown, limits: Partial<FlattenLimits> = {}): FlatRecord {
  const { maxFields, maxLength, maxDepth } = { ...LIMITS, ...limits };
  const found = new Map<string, unknown>();
  let length = 0;
  let isCut = false;

  const add = (field: string, value: unknown, many: boolean) => {
    length += field.length + lengthOf(value);
    const isNew = !found.has(field);
    if ((isNew && found.size >= maxFields) || length > maxLength) {
      isCut = true;
      return;
    }
    if (isNew) found.set(field, many ? [value] : value);
    else {
      const before = found.get(field);
      if (Array.isArray(before)) before.push(value);
      else found.set(field, [before, value]);
    }
  };
  const visit = (value: unknown, path: string, depth: number, many: boolean) => {
    if (length > maxLength) {
      isCut = true;
    } else if (isEmpty(value)) {
      return;
    } else if (typeof value !== 'object' || value === null) {
      add(path, value, many);
    } else if (depth >= maxDepth) {
      isCut = true;
      add(path, '…', many);
    } else if (Array.isArray(value)) {
      for (const element of value) {
        if (isCut && length > maxLength) return;
        visit(element, path, depth + 1, true);
      }
    } else {
      for (const [key, child] of Object.entries(value)) {
        if (isCut && length > maxLength) return;
        visit(child, path === '' ? key : `${path}.${key}`, depth + 1, many);
      }
    }
  };
  visit(record, '', 0, false);

  const fields = [...found].map(([field, value]) => ({ field, value }));
  fields.sort((left, right) => (left.field < right.field ? -1 : left.field > right.field ? 1 : 0));
  return { fields, isCut };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 8;
}
