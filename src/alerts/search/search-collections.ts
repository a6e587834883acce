import { actionDocument } from '../../documents/kinds/action.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { dossierDocument } from '../../documents/kinds/dossier.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { overviewDocument } from '../../documents/kinds/overview.ts';
import { templateDocument } from '../../documents/kinds/template.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** Lists the kinds of documents that can be searched. The others (avatars, migrations) are internal. */
export const SEARCHABLE_DOCUMENTS: readonly DocumentDefinition<unknown>[] = [
  actionDocument,
  analyticDocument,
  caseDocument,
  dossierDocument,
  eventDocument,
  hitDocument,
  overviewDocument,
  templateDocument,
  userDocument,
  viewDocument,
];

const byName = new Map(SEARCHABLE_DOCUMENTS.map((definition) => [definition.name, definition]));

/** @throws InvalidInput `unknown_index` */
export function searchableDocument(name: string, at = 'index'): DocumentDefinition<unknown> {
  const definition = byName.get(name);
  if (!definition) throw new InvalidInput('unknown_index', `Not a valid index to search in: ${name}`, { at });
  return definition;
}

/**
 * Returns the kinds of a list such as `hit,event`, each once.
 * @throws InvalidInput `unknown_index`, also when the list names nothing
 */
export function searchableDocuments(list: string): readonly DocumentDefinition<unknown>[] {
  const names = new Set(list.split(',').flatMap((name) => name.trim() || []));
  if (names.size === 0) names.add(list);
  return [...names].map((name) => searchableDocument(name, 'indexes'));
}
