import { actionDocument } from './action.ts';
import { analyticDocument } from './analytic.ts';
import { caseDocument } from './case.ts';
import type { DocumentDefinition } from './document-definition.ts';
import { dossierDocument } from './dossier.ts';
import { eventDocument } from './event.ts';
import { heuristicDocument } from './heuristic.ts';
import { hitDocument } from './hit.ts';
import { migrationDocument } from './migration.ts';
import { overviewDocument } from './overview.ts';
import { templateDocument } from './template.ts';
import { userDocument } from './user.ts';
import { userAvatarDocument } from './user-avatar.ts';
import { userFavoritesDocument } from './user-favorites.ts';
import { userSettingsDocument } from './user-settings.ts';
import { viewDocument } from './view.ts';

/** Every kind of document. */
export const ALL_DOCUMENTS = [
  hitDocument,
  eventDocument,
  caseDocument,
  templateDocument,
  overviewDocument,
  analyticDocument,
  actionDocument,
  migrationDocument,
  userDocument,
  viewDocument,
  dossierDocument,
  userAvatarDocument,
  userSettingsDocument,
  userFavoritesDocument,
  heuristicDocument,
] as const;

const byName: ReadonlyMap<string, DocumentDefinition<unknown>> = new Map(
  ALL_DOCUMENTS.map((definition) => [definition.name, definition as DocumentDefinition<unknown>]),
);

/** The kind of that name; undefined: there is none. */
export function documentByName(name: string): DocumentDefinition<unknown> | undefined {
  return byName.get(name);
}
