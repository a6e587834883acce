import { describe, it } from 'node:test';
import { accessArea } from './access.ts';
import { acrossArea } from './across.ts';
import { administrationArea } from './administration.ts';
import { bulkArea } from './bulk.ts';
import { concurrencyArea } from './concurrency.ts';
import { copiesArea } from './copies.ts';
import { cursorsArea } from './cursors.ts';
import { documentsArea } from './documents.ts';
import { errorsArea } from './errors.ts';
import { facetsArea } from './facets.ts';
import { generationsArea } from './generations.ts';
import { groupsArea } from './groups.ts';
import { histogramsArea } from './histograms.ts';
import { isolationArea } from './isolation.ts';
import { lifecycleArea } from './lifecycle.ts';
import { pagingArea } from './paging.ts';
import { queryLanguageArea } from './query-language.ts';
import { queryPropertiesArea } from './query-properties.ts';
import { sortingArea } from './sorting.ts';
import { statsArea } from './stats.ts';
import { streamArea } from './stream.ts';
import type { DatastoreSubject } from './subject.ts';
import { updatesArea } from './updates.ts';
import { updatesWhereArea } from './updates-where.ts';
import { versionsArea } from './versions.ts';
import { visibilityArea } from './visibility.ts';

export type { DatastoreSubject } from './subject.ts';

/** Every area of the port, one file each. */
export const DATASTORE_AREAS = {
  documents: documentsArea,
  versions: versionsArea,
  updates: updatesArea,
  'updates-where': updatesWhereArea,
  bulk: bulkArea,
  visibility: visibilityArea,
  paging: pagingArea,
  sorting: sortingArea,
  cursors: cursorsArea,
  facets: facetsArea,
  histograms: histogramsArea,
  stats: statsArea,
  groups: groupsArea,
  stream: streamArea,
  across: acrossArea,
  access: accessArea,
  concurrency: concurrencyArea,
  isolation: isolationArea,
  administration: administrationArea,
  copies: copiesArea,
  generations: generationsArea,
  lifecycle: lifecycleArea,
  errors: errorsArea,
  'query-language': queryLanguageArea,
  'query-properties': queryPropertiesArea,
} as const satisfies Record<string, (subject: DatastoreSubject) => void>;

export type DatastoreArea = keyof typeof DATASTORE_AREAS;

/** Registers the tests that every adapter of the datastore port passes. */
export function datastoreConformance(subject: DatastoreSubject): void {
  if (subject.unavailable !== undefined) {
    it(`${subject.name}: not run`, { skip: subject.unavailable });
    return;
  }
  for (const [area, register] of Object.entries(DATASTORE_AREAS)) {
    describe(`${subject.name}: ${area}`, () => register(subject));
  }
}
