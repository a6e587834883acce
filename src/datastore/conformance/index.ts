import { describe, it } from 'node:test';
import { bulkArea } from './documents/bulk.ts';
import { concurrencyArea } from './documents/concurrency.ts';
import { documentsArea } from './documents/documents.ts';
import { errorsArea } from './documents/errors.ts';
import { isolationArea } from './documents/isolation.ts';
import { updatesArea } from './documents/updates.ts';
import { updatesWhereArea } from './documents/updates-where.ts';
import { versionsArea } from './documents/versions.ts';
import { visibilityArea } from './documents/visibility.ts';
import { administrationArea } from './indices/administration.ts';
import { copiesArea } from './indices/copies.ts';
import { generationsArea } from './indices/generations.ts';
import { lifecycleArea } from './indices/lifecycle.ts';
import { integersArea } from './integers.ts';
import { accessArea } from './searches/access.ts';
import { acrossArea } from './searches/across.ts';
import { cursorsArea } from './searches/cursors.ts';
import { facetsArea } from './searches/facets.ts';
import { groupsArea } from './searches/groups.ts';
import { histogramsArea } from './searches/histograms.ts';
import { pagingArea } from './searches/paging.ts';
import { queryLanguageArea } from './searches/query-language.ts';
import { queryPropertiesArea } from './searches/query-properties.ts';
import { relevanceArea } from './searches/relevance.ts';
import { sortingArea } from './searches/sorting.ts';
import { statsArea } from './searches/stats.ts';
import { streamArea } from './searches/stream.ts';
import type { DatastoreSubject } from './subject.ts';

export type { DatastoreSubject } from './subject.ts';

/** Every area of the port, one file each. */
export const DATASTORE_AREAS = {
  documents: documentsArea,
  integers: integersArea,
  versions: versionsArea,
  updates: updatesArea,
  'updates-where': updatesWhereArea,
  bulk: bulkArea,
  visibility: visibilityArea,
  paging: pagingArea,
  sorting: sortingArea,
  relevance: relevanceArea,
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
