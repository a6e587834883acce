import {
  type ListDocument,
  type ListEntry,
  type ListFormat,
  ListProblem,
  type ListReader,
  type ListReaderOptions,
} from '../list-entry.ts';
import type { FormatReader } from './format-reader.ts';
import { LeftOut } from './left-out.ts';
import { readMispEvent } from './misp/misp-event-list.ts';
import { readMispWarninglist } from './misp/misp-warninglist.ts';
import { readStix } from './stix/stix-list.ts';
import { readCsv } from './tables/csv-list.ts';
import { readHashes } from './tables/hash-list.ts';
import { readNdjson } from './tables/ndjson-list.ts';
import { readText } from './text-list.ts';

const MAX_CHUNK = 1000;

const READERS: Readonly<Record<ListFormat, FormatReader>> = {
  text: readText,
  csv: readCsv,
  ndjson: readNdjson,
  stix: readStix,
  // Pages of a collection hold objects as bundles do.
  taxii: readStix,
  misp_event: readMispEvent,
  misp_feed: readMispEvent,
  misp_warninglist: readMispWarninglist,
  hashes: readHashes,
};

/**
 * Reads the documents of a list in its format, without holding more than a few hundred kilobytes of
 * them. A list of which nothing is understood is a problem; one that is empty on purpose is not.
 */
export const readList: ListReader = (documents, options) => {
  const leftOut = new LeftOut();
  return { entries: entriesOf(documents, options, leftOut), notUnderstood: () => leftOut.counts };
};

async function* entriesOf(
  documents: AsyncIterable<ListDocument>,
  options: ListReaderOptions,
  leftOut: LeftOut,
): AsyncGenerator<readonly ListEntry[]> {
  const read = READERS[options.list.format];
  let found = 0;
  let place = options.list.name;
  for await (const document of documents) {
    place = document.place;
    for await (const entries of read({ ...options, document, leftOut })) {
      found += entries.length;
      for (let start = 0; start < entries.length; start += MAX_CHUNK) {
        yield entries.length <= MAX_CHUNK ? entries : entries.slice(start, start + MAX_CHUNK);
      }
    }
  }
  if (found > 0 || leftOut.mistakes === 0) return;
  const reasons = [...leftOut.counts].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  throw new ListProblem(place, `it has nothing that the format ${options.list.format} understands (${reasons})`);
}
