import { searchRecords } from '../../../../api/alert-searches.ts';
import { plainString, valueAt } from '../../../../json/members.ts';
import type { QueryRequest } from '../../../query/model/query-request.ts';
import type { SortOrder } from '../search/alert-search.ts';
import { csvLine } from './csv.ts';

/** The file is built in memory, so its length has an end. */
export const MAX_EXPORTED = 50_000;
const PAGE_ROWS = 1000;

export interface Export {
  readonly request: QueryRequest;
  readonly sort: SortOrder;
  /** Fields of the columns of a CSV; undefined: whole alerts as NDJSON. */
  readonly fields?: readonly string[] | undefined;
  /** Called with the number of alerts read so far. */
  readonly onProgress: (count: number) => void;
}

/** Reads the alerts of a search into a file. Returns how many it has. */
export async function exportAlerts({ request, sort, fields, onProgress }: Export, signal: AbortSignal) {
  const parts: string[] = fields === undefined ? [] : [csvLine(fields)];
  let count = 0;
  let page = '*';
  while (page !== '' && count < MAX_EXPORTED) {
    const found = await searchRecords(
      {
        query: request.query,
        filters: request.filters,
        deep_paging_id: page,
        rows: PAGE_ROWS,
        sort: `${sort.field} ${sort.direction}`,
        ...(fields === undefined ? {} : { fl: fields.join(',') }),
      },
      { signal },
    );
    for (const item of found.items) {
      parts.push(
        fields === undefined
          ? `${JSON.stringify(item)}\n`
          : csvLine(fields.map((field) => plainString(valueAt(item, field)))),
      );
    }
    count += found.items.length;
    onProgress(count);
    page = found.items.length === 0 ? '' : (found.next ?? '');
  }
  const type = fields === undefined ? 'application/x-ndjson' : 'text/csv;charset=utf-8';
  saveFile(new Blob(parts, { type }), fields === undefined ? 'alerts.ndjson' : 'alerts.csv');
  return count;
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
