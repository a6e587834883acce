import { anyOf, not } from '../../datastore/query-tree.ts';
import type { UpdateOperation } from '../../datastore/update-operations.ts';
import { caseDocument } from '../../documents/case.ts';
import type { DocumentDefinition } from '../../documents/document-definition.ts';
import { eventDocument } from '../../documents/event.ts';
import { ACCESS_FIELDS } from '../../documents/field-types.ts';
import { hitDocument } from '../../documents/hit.ts';
import type { AccessParts } from '../../documents/output.ts';
import { isTriadError } from '../../errors/errors.ts';
import { changeDocuments } from '../change-documents.ts';
import type { ClassificationRules, MigrationContext, MigrationRun } from '../migration.ts';

/** A marking can be missing (a document needs none); the level and both group fields always have a value. */
const [LEVEL, , GROUPS, SUBGROUPS] = ACCESS_FIELDS;
const ALWAYS_SET = [LEVEL, GROUPS, SUBGROUPS];
/** Documents that a warning names. */
const NAMED = 5;

/**
 * Searches decide by the hidden access fields who may see a document; whoever saves one through the API gets them from its
 * classification. Documents that came into the index another way (written by other programs, copied from elsewhere) lack them:
 * with an enforced classification no search finds those, although reading them by identifier works. They get the fields that saving
 * them would give them. Present fields are left alone. Documents whose classification is not one of the present definition stay
 * as they are, and hidden from searches; a warning names them.
 */
export const accessFieldsFromClassification: MigrationRun = async (context) => {
  const definitions: readonly DocumentDefinition<object>[] = [hitDocument, eventDocument, caseDocument];
  let changed = 0;
  for (const definition of definitions) changed += await fillAccessFields(definition, context);
  return changed;
};

async function fillAccessFields(definition: DocumentDefinition<object>, context: MigrationContext): Promise<number> {
  const field = definition.classificationField;
  if (field === undefined) throw new Error(`Documents of the kind ${definition.name} carry no classification.`);
  const unreadable = new Set<string>();
  const changed = await changeDocuments(
    {
      collection: context.datastore.collection(definition),
      selection: { query: anyOf(...ALWAYS_SET.map((path) => not({ kind: 'exists', field: path }))) },
      fields: [field, ...ACCESS_FIELDS],
      change: (document: object, id) => {
        const stored = document as Readonly<Record<string, unknown>>;
        if (ALWAYS_SET.every((path) => (stored[path] ?? undefined) !== undefined)) return undefined;
        const parts = accessParts(context.classification, stored[field] ?? undefined);
        if (parts !== undefined) return operationsOf(parts);
        unreadable.add(id);
        return undefined;
      },
    },
    context,
  );
  if (unreadable.size > 0) {
    const named = [...unreadable].slice(0, NAMED).join(', ');
    context.warn(
      `${unreadable.size} documents of ${definition.name} have a classification that the present definition does not know, and were left as they are: ${named}${unreadable.size > NAMED ? ', …' : ''}`,
    );
  }
  return changed;
}

/** Without a classification everybody may see a document. Undefined: the text is no classification of the definition. */
function accessParts(rules: ClassificationRules, classification: unknown): AccessParts | undefined {
  if (classification !== undefined && typeof classification !== 'string') return undefined;
  try {
    return rules.accessParts(classification ?? rules.unrestricted);
  } catch (error) {
    if (isTriadError(error)) return undefined;
    throw error;
  }
}

function operationsOf(parts: AccessParts): readonly UpdateOperation[] {
  return ACCESS_FIELDS.map((path) => ({ op: 'set', path, value: parts[path] }));
}
