import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import { assertDocumentSize } from '../../port/collection.ts';
import type { UpdateOperation } from '../../port/update-operations.ts';
import { applyOperations } from '../../semantics/apply-operations.ts';

/** A document as the server has it: the identifier is a field. */
export type EngineSource = Record<string, unknown>;

/** Returns the stored JSON with the identifier as `id`, over such a property, for searches and sorting. */
export function sourceText(id: string, document: object): string {
  const own = ID_FIELD in document ? withoutIdentifier(document) : document;
  const json = JSON.stringify(own);
  const separator = json === '{}' ? '' : ',';
  return `${json.slice(0, -1)}${separator}"${ID_FIELD}":${JSON.stringify(id)}}`;
}

/** @see https://www.elastic.co/docs/reference/elasticsearch/mapping-reference/mapping-id-field */
const MAX_IDENTIFIER_LENGTH = 512;

/** Returns whether the identifier is valid; the server rejects a whole request for an invalid one. */
export function isIdentifier(id: string): boolean {
  if (id === '' || id.length > MAX_IDENTIFIER_LENGTH) return false;
  return Buffer.byteLength(id) <= MAX_IDENTIFIER_LENGTH;
}

/** Returns `sourceText`; throws `invalid_document`, `document_too_large`, `list_too_long`. */
export function newText(alias: string, id: string, document: unknown): string {
  if (!isIdentifier(id)) {
    const message = `${alias}: an identifier has 1 to ${MAX_IDENTIFIER_LENGTH} bytes, '${id.slice(0, 40)}' has ${Buffer.byteLength(id)}.`;
    throw new InvalidInput('invalid_document', message);
  }
  const text = sourceText(id, document as object);
  assertDocumentSize(id, document, text);
  return text;
}

/** The document as callers get it: without the field `id`. `source` is taken over and changed. */
export function documentOf<T>(source: EngineSource): T {
  delete source[ID_FIELD];
  return source as T;
}

/** Changes `source` and returns its text, if changed; throws `invalid_update`, and limits as `newText`. */
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
