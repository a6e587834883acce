import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { type FlatField, TEXT_FIELD } from '../../../documents/schema/field-types.ts';
import { mappingColumnPath } from './mapping-columns.ts';

export interface SharedFields {
  /** Paths of the columns that hold the same for every document, by whichever of the definitions they are made. */
  readonly columns: ReadonlySet<string>;
  /** What the other columns are made by. */
  readonly rest: CollectionDefinition<unknown>;
}

/** Which columns of documents that are indexed by `before` are good for `next`. */
export function sharedFields(before: CollectionDefinition<unknown>, next: CollectionDefinition<unknown>): SharedFields {
  const copied = copiedPaths(before);
  const isTextShared =
    copied.size === copiedPaths(next).size &&
    next.fields.every((field) => !field.copyToText || (copied.has(field.path) && isFoundAlike(before, next, field)));
  const columns = new Set<string>(isTextShared ? [TEXT_FIELD] : []);
  const rest = new Map<string, FlatField>();
  for (const field of next.fields) {
    if (isIndexedAlike(before, next, field)) {
      columns.add(field.path);
      if (field.type === 'mapping') columns.add(mappingColumnPath(field.path));
      if (field.copyToText && !isTextShared) rest.set(field.path, { ...field, indexed: false });
    } else {
      rest.set(field.path, isTextShared ? { ...field, copyToText: false } : field);
    }
  }
  // A mapping takes what lies below it, so that a field there finds nothing; it has to go on doing so.
  for (const path of [...rest.keys()]) {
    for (const above of mappingsAbove(next, path)) {
      if (!rest.has(above.path)) rest.set(above.path, { ...above, indexed: false, copyToText: false });
    }
  }
  return { columns, rest: { ...next, fields: [...rest.values()], fieldByPath: rest } };
}

function isIndexedAlike(
  before: CollectionDefinition<unknown>,
  next: CollectionDefinition<unknown>,
  field: FlatField,
): boolean {
  const old = before.fieldByPath.get(field.path);
  return (
    old !== undefined &&
    isFoundAlike(before, next, field) &&
    old.searchKind === field.searchKind &&
    old.multiValued === field.multiValued &&
    old.indexed === field.indexed
  );
}

/** Whether the same values of a document are those of the field. */
function isFoundAlike(
  before: CollectionDefinition<unknown>,
  next: CollectionDefinition<unknown>,
  { path, type }: FlatField,
): boolean {
  const isMapping = before.fieldByPath.get(path)?.type === 'mapping';
  if (isMapping !== (type === 'mapping')) return false;
  return mappingsAbove(before, path).length === 0 && mappingsAbove(next, path).length === 0;
}

function mappingsAbove({ fieldByPath }: CollectionDefinition<unknown>, path: string): readonly FlatField[] {
  const names = path.split('.');
  return names
    .map((_, count) => fieldByPath.get(names.slice(0, count).join('.')))
    .filter((field) => field?.type === 'mapping')
    .filter((field) => field !== undefined);
}

function copiedPaths({ fields }: CollectionDefinition<unknown>): ReadonlySet<string> {
  return new Set(fields.filter(({ copyToText }) => copyToText).map(({ path }) => path));
}
