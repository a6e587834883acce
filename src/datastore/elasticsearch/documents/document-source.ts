import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { assertDocumentSize } from '../../port/collection.ts';
import type { UpdateOperation } from '../../port/update-operations.ts';
import { applyOperations } from '../../semantics/apply-operations.ts';

/** A document as the server has it: the identifier is a field. */
export type EngineSource = Record<string, unknown>;

/**
 * JSON of a document as it is stored: with its identifier as the field `id`, as the public system
 * keeps it, over a property of that name. In it the field is what searches and sorting by identifier go by.
 */
export function sourceText(id: string, document: object): string {
  const own = ID_FIELD in document ? withoutIdentifier(document) : document;
  const json = JSON.stringify(own);
  const separator = json === '{}' ? '' : ',';
  return `${json.slice(0, -1)}${separator}"${ID_FIELD}":${JSON.stringify(id)}}`;
}

/** The document as callers get it: without the field `id`. `source` is taken over and changed. */
export function documentOf<T>(source: EngineSource): T {
  delete source[ID_FIELD];
  return source as T;
}

/**
 * Applies a change to a document; modifies `source`.
 * @returns its text as it is stored; undefined, when nothing changes
 * @throws InvalidInput `invalid_update`; TooLarge `document_too_large`, `list_too_long`
 */
export function changedText(
  { id, source }: { readonly id: string; readonly source: EngineSource },
  operations: readonly UpdateOperation[],
): string | undefined {
  delete source[ID_FIELD];
  if (!applyOperations(source, operations)) return undefined;
  const text = sourceText(id, source);
  assertDocumentSize(id, source, text);
  return text;
}

function withoutIdentifier(document: object): object {
  const { [ID_FIELD]: _id, ...own } = document as EngineSource;
  return own;
}
