import { allOf, anyOf, MATCH_ALL, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { ACCESS_FIELDS } from '../../documents/schema/field-types.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { ClassificationRules, MigrationContext, MigrationRun } from '../migration.ts';
import { whenSearchable } from '../when-searchable.ts';

const DEFINITIONS: readonly DocumentDefinition<object>[] = [hitDocument, eventDocument, caseDocument];
const ACCESS = unrestricted('a migration changes documents of every classification');
/** Classifications of one collection that are told apart; real collections have a few dozen. */
const MAX_CLASSIFICATIONS = 10_000;

/** Excludes the marking, which may be missing; the level and both groups always have a value. */
const [LEVEL, , GROUPS, SUBGROUPS] = ACCESS_FIELDS;
const LACKS_ACCESS_FIELDS: QueryNode = anyOf(
  ...[LEVEL, GROUPS, SUBGROUPS].map((field) => not({ kind: 'exists', field })),
);

/**
 * Adds the hidden access fields, by which searches decide, to documents of other programs.
 * They get the fields that saving them would give them, without a classification those of the unrestricted one.
 * Documents with a classification that is not in the definition stay hidden; a warning names it.
 */
export const accessFieldsFromClassification: MigrationRun = (context) => updateAll(LACKS_ACCESS_FIELDS, context);

/** Updates the access fields of all documents to a new classification definition. */
export const accessFieldsOfNewDefinition: MigrationRun = (context) => updateAll(MATCH_ALL, context);

async function updateAll(selected: QueryNode, context: MigrationContext): Promise<number> {
  let changed = 0;
  for (const definition of DEFINITIONS) changed += await setAccessFields(definition, selected, context);
  return changed;
}

/** Updates one classification after another: all its documents get the same fields. */
async function setAccessFields(
  definition: DocumentDefinition<object>,
  selected: QueryNode,
  context: MigrationContext,
): Promise<number> {
  const { datastore, classification, progress, warn, signal } = context;
  const field = definition.classificationField;
  if (field === undefined) throw new Error(`Documents of the kind ${definition.name} carry no classification.`);
  const collection = datastore.collection(definition);
  const selection = { query: selected };
  const total = await whenSearchable(() => collection.count(selection, ACCESS), context);
  const { buckets } = await collection.facet({ ...selection, field, rows: MAX_CLASSIFICATIONS }, ACCESS);

  let [done, changed] = [0, 0];
  const fill = async (documents: QueryNode, operations: readonly UpdateOperation[]) => {
    const result = await collection.updateWhere({ query: allOf(selected, documents) }, operations, {
      access: ACCESS,
      visible: 'now',
      signal,
      progress: (ofThese) => progress(Math.min(total, done + ofThese), total),
    });
    done += result.matched;
    changed += result.changed;
  };
  progress(0, total);
  try {
    for (const { key, label, count } of buckets) {
      const operations = operationsOf(classification, label);
      if (operations !== undefined) await fill({ kind: 'term', field, value: key }, operations);
      else {
        done += count;
        warn(
          `${definition.name}: "${label}" is not a classification of the present definition. ${count} documents stay as they are.`,
        );
      }
    }
    await fill(not({ kind: 'exists', field }), operationsOf(classification, classification.unrestricted) ?? []);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return changed;
}

/** Undefined: the text is not a classification of the definition. */
function operationsOf(rules: ClassificationRules, text: string): readonly UpdateOperation[] | undefined {
  try {
    const parts = rules.accessParts(text);
    return ACCESS_FIELDS.map((path) => ({ op: 'set', path, value: parts[path] }));
  } catch (error) {
    if (isTriadError(error)) return undefined;
    throw error;
  }
}
