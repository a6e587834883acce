import { useState } from 'react';
import { showToast } from '../../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { AlertList } from '../use-alert-list.ts';
import { exportAlerts, MAX_EXPORTED } from './export-alerts.ts';

/** Writes the alerts of a list into a file. */
export interface ListExport {
  /** Alerts that the running export has so far; undefined while none runs. */
  readonly count: number | undefined;
  /** Starts an export of these fields (CSV), or of whole alerts (NDJSON). */
  readonly run: (fields: readonly string[] | undefined) => Promise<void>;
}

/** Returns the export of a list, which says in a toast how it ended. */
export function useExport({ request, sort }: AlertList): ListExport {
  const { t } = useTranslation();
  const [count, setCount] = useState<number | undefined>(undefined);
  const run = async (fields: readonly string[] | undefined) => {
    setCount(0);
    try {
      const exported = await exportAlerts(
        { request, sort, fields, onProgress: setCount },
        new AbortController().signal,
      );
      const isCut = exported >= MAX_EXPORTED;
      showToast(t(isCut ? 'alerts.exportTooMany' : 'alerts.exported', { count: exported }));
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), { kind: 'problem' });
    } finally {
      setCount(undefined);
    }
  };
  return { count, run };
}
