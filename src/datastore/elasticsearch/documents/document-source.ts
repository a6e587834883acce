import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { InvalidInput } from '../../../errors/errors.ts';
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

/** @see https://www.elastic.co/docs/reference/elasticsearch/mapping-reference/mapping-id-field */
const MAX_IDENTIFIER_LENGTH = 512;

/**
 * Returns whether the identifier is valid.
 * The server rejects a whole request because of one invalid identifier.
 */
export function isIdentifier(id: string): boolean {
  if (id === '' || id.length > MAX_IDENTIFIER_LENGTH) return false;
  return Buffer.byteLength(id) <= MAX_IDENTIFIER_LENGTH;
}

/**
 * Checks a document that a caller hands over, and returns its `sourceText`.
 * @throws InvalidInput `invalid_document`; TooLarge `document_too_large`, `list_too_long`
 */
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
