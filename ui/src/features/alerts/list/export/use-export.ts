import { useEffect, useRef, useState } from 'react';
import { searchRecords } from '../../../../api/alert-searches.ts';
import { messageOf } from '../../../../api/problem.ts';
import { saveFile } from '../../../../design/data/values/save-file.ts';
import { showToast } from '../../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { orderText } from '../results/row-order.ts';
import type { ListSearch } from '../use-list-search.ts';
import { type Export, exportAlerts } from './export-alerts.ts';

/** Writes the alerts of a list into a file. */
export interface ListExport {
  /** Alerts that the running export has so far; undefined while none runs. */
  readonly count: number | undefined;
  /** Starts an export of these fields (CSV), or of whole alerts (NDJSON). */
  readonly run: (fields: readonly string[] | undefined) => Promise<void>;
  readonly cancel: () => void;
}

/** Returns the export of a list, which says in a toast how it ended. It ends with the page. */
export function useExport({ request, sort, indexes }: ListSearch): ListExport {
  const { t } = useTranslation();
  const [count, setCount] = useState<number | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (fields: readonly string[] | undefined) => {
    const ending = new AbortController();
    running.current = ending;
    setCount(0);
    const readPage: Export['readPage'] = async (cursor, rows, signal) => {
      const fl = fields === undefined ? {} : { fl: fields.join(',') };
      const page = { ...request, deep_paging_id: cursor, rows, sort: orderText(sort), ...fl };
      const { items, next } = await searchRecords(page, { indexes, signal });
      return { items, next };
    };
    try {
      const file = await exportAlerts({ readPage, fields, onProgress: setCount }, ending.signal);
      saveFile(file.content, file.name);
      showToast(t(file.isCut ? 'alerts.exportTooMany' : 'alerts.exported', { count: file.count }));
    } catch (error) {
      if (ending.signal.aborted) showToast(t('alerts.exportCancelled'));
      else showToast(messageOf(error), { kind: 'problem' });
    } finally {
      setCount(undefined);
    }
  };
  return { count, run, cancel: () => running.current?.abort() };
}
