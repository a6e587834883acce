import type { ClassificationEngine } from '../../classification/classification.ts';
import type { BulkItem, Collection } from '../../datastore/port/collection.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { ACCESS_FIELDS } from '../../documents/schema/field-types.ts';
import { stampAccess } from '../../documents/schema/output.ts';
import type { Actor } from '../actor.ts';

/** Returns a collection whose writes alone set the hidden access fields, by which searches decide. */
export function classifiedCollection<T extends object>(
  collection: Collection<T>,
  definition: DocumentDefinition<T>,
  engine: Pick<ClassificationEngine, 'accessParts'>,
): Collection<T> {
  const field = definition.classificationField;
  if (field === undefined) throw new Error(`Documents of the kind ${definition.name} carry no classification.`);

  const partsOf = (classification: string) => engine.accessParts(classification);
  const stamp = (document: T): T => stampAccess(definition, document, partsOf);
  const stampItem = (item: BulkItem<T>): BulkItem<T> =>
    item.kind === 'save'
      ? { ...item, document: stamp(item.document) }
      : item.kind === 'update'
        ? { ...item, operations: rejectAccessChange(item.operations, field) }
        : item;

  return {
    definition: collection.definition,
    get: (id, access) => collection.get(id, access),
    getMany: (ids, access) => collection.getMany(ids, access),
    getVersioned: (id, access) => collection.getVersioned(id, access),
    save: (id, document, options) => collection.save(id, stamp(document), options),
    update: (id, operations, options) => collection.update(id, rejectAccessChange(operations, field), options),
    delete: (id, options) => collection.delete(id, options),
    bulk: (items, options) => collection.bulk(items.map(stampItem), options),
    createAll: (documents, visible) =>
      collection.createAll(
        documents.map(({ id, document }) => ({ id, document: stamp(document) })),
        visible,
      ),
    updateWhere: (selection, operations, options) =>
      collection.updateWhere(selection, rejectAccessChange(operations, field), options),
    deleteWhere: (selection, options) => collection.deleteWhere(selection, options),
    search: (request, access) => collection.search(request, access),
    count: (selection, access) => collection.count(selection, access),
    facet: (request, access) => collection.facet(request, access),
    histogram: (request, access) => collection.histogram(request, access),
    stats: (request, access) => collection.stats(request, access),
    group: (request, access) => collection.group(request, access),
    stream: (selection, access) => collection.stream(selection, access),
  };
}

/** Operations change single fields and could part the two: the whole document is saved instead. */
function rejectAccessChange(operations: readonly UpdateOperation[], field: string): readonly UpdateOperation[] {
  for (const { path } of operations) {
    if (path === field || ACCESS_FIELDS.some((hidden) => hidden === path)) {
      throw new Error(`${path} changes only with the whole document.`);
    }
  }
  return operations;
}

/** Returns whether the actor may classify a document so: administrators always, others what they see. */
export function mayClassify(
  actor: Pick<Actor, 'isAdmin' | 'classification'>,
  engine: Pick<ClassificationEngine, 'isAccessible'>,
  classification: string | null | undefined,
): boolean {
  return actor.isAdmin || engine.isAccessible(actor.classification, classification, true);
}
