import { openListContent } from '../../enrichment/lists/fetching/open-list-content.ts';
import type { ListDocument, ListSettings, ListVersion } from '../../enrichment/lists/list-entry.ts';
import { NEVER_ABORTED } from './never-aborted.ts';
import { listFolder } from './open-lists.ts';
import { listSettingsOf, readListDocuments } from './read-list-text.ts';

/** For tests: opens a folder in which lists are updated as the program does. */
export function openListUpdates(context: Parameters<typeof listFolder>[0]) {
  const { folder } = listFolder(context);
  return {
    folder,
    /** Updates a list and returns what it holds; no values when it did not change. */
    async update(settings: Partial<ListSettings>, previous?: ListVersion) {
      const progress: (readonly (number | undefined)[])[] = [];
      const content = await openListContent(listSettingsOf(settings), previous, {
        signal: NEVER_ABORTED,
        folder,
        progress: (...given) => progress.push(given),
      });
      if (!content.changed) return { values: undefined, authors: [], version: previous, progress };
      try {
        const documents: ListDocument[] = [];
        for await (const document of content.documents) documents.push(document);
        const { entries } = await readListDocuments(settings, documents);
        const authors = entries.map(({ details }) => details?.author);
        return { values: entries.map(({ value }) => value), authors, version: content.version(), progress };
      } finally {
        await content.close();
      }
    },
  };
}

/** Returns a UUID that ends with a digit. */
export function uuidOf(digit: number): string {
  return `00000000-0000-4000-8000-00000000000${digit}`;
}

/** Returns an event of MISP about a domain, as JSON. */
export function mispEvent(domain: string): string {
  return JSON.stringify({ Event: { info: 'x', Attribute: [{ type: 'domain', value: domain, to_ids: true }] } });
}
