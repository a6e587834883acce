import type { Column } from '../../../../design/data/table/columns.ts';
import { twoLines } from '../../../../design/data/table/two-lines.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useConfiguration } from '../../../../shell/session-context.tsx';
import type { AlertRow } from '../results/alert-source.ts';
import { alertColumns } from './alert-columns.tsx';
import { narrowLines } from './narrow-lines.ts';

/**
 * Returns the columns of the table for the chosen ids, the same ones until they change.
 * A hook of its own, because rows are drawn again for other columns: inside of the page, the compiler makes new ones
 * with each of its changes.
 */
export function useAlertColumns(ids: readonly string[], isBeside: boolean): Column<AlertRow>[] {
  const { t } = useTranslation();
  const described = useConfiguration().data?.indexes.hit;
  return alertColumns(ids, { t, described, isBeside });
}

/** Returns what draws a row in two lines, the same function for the same columns. */
export function useNarrowRow(ids: readonly string[], columns: readonly Column<AlertRow>[]) {
  return twoLines(columns, narrowLines(ids));
}
