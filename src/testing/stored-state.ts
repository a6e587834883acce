import { unrestricted } from '../datastore/port/read-access.ts';
import { ANALYSIS_DOCUMENTS } from '../documents/all-documents.ts';
import { installationDocument } from '../documents/kinds/installation.ts';
import { userDocument } from '../documents/kinds/user.ts';
import {
  userAvatarDocument,
  userFavoritesDocument,
  userPreferencesDocument,
  userSettingsDocument,
} from '../documents/kinds/user-records.ts';
import type { DocumentDefinition } from '../documents/schema/document-definition.ts';
import type { TestProgram } from './start-test-program.ts';

const EVERYTHING = unrestricted('a test compares everything that is stored');
const MATCH_ALL = { query: { kind: 'all' } } as const;

const KINDS = [
  ...ANALYSIS_DOCUMENTS,
  ...[
    userDocument,
    userAvatarDocument,
    userFavoritesDocument,
    userSettingsDocument,
    userPreferencesDocument,
    installationDocument,
  ],
];

/**
 * For tests: everything that the analysis service of a program holds, by name: documents, contents of
 * files, queues and tables.
 */
export async function storedState({
  foundation,
}: Pick<TestProgram, 'foundation'>): Promise<ReadonlyMap<string, string>> {
  const { datastore, files, coordination } = foundation;
  const state = new Map<string, string>();
  for (const definition of KINDS as readonly DocumentDefinition<object>[]) {
    for await (const { id, document } of datastore.collection(definition).stream(MATCH_ALL, EVERYTHING)) {
      state.set(`${definition.name} ${id}`, JSON.stringify(document));
    }
  }
  for await (const batch of files.list()) for (const { sha256 } of batch) state.set(`content ${sha256}`, '');
  for (const queue of await coordination.queues.list('')) {
    state.set(`queue ${queue}`, String(await coordination.queues.length(queue)));
  }
  for (const table of await coordination.tables.list('')) {
    for (const [key, value] of await coordination.tables.entries(table)) {
      state.set(`table ${table} ${key}`, JSON.stringify(value));
    }
  }
  return state;
}

/** For tests: the names of what came, changed or went between two states. */
export function stateChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}
