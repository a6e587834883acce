import { useMemo } from 'react';
import type { Column } from '../../../design/data/table/columns.ts';
import { DataTable } from '../../../design/data/table/data-table.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { VerdictMark } from '../verdict-mark.tsx';
import type { FoundTag, ReportError } from './report.ts';

/** Lists the tags of all results, those of the worst sections first. */
export function TagTable({ tags }: { readonly tags: readonly FoundTag[] }) {
  const { t } = useTranslation();
  const columns = useMemo<Column<FoundTag>[]>(
    () => [
      { id: 'score', title: t('files.verdict'), width: 176, cell: ({ score }) => <VerdictMark score={score} /> },
      { id: 'type', title: t('files.type'), width: 216, cell: ({ type }) => <Value value={type} inline /> },
      {
        id: 'value',
        title: t('files.value'),
        width: 240,
        grow: true,
        cell: ({ value }) => <Value value={value} inline />,
      },
      {
        id: 'services',
        title: t('files.analyzer'),
        width: 160,
        cell: ({ services }) => <Value value={services.join(', ')} inline />,
      },
    ],
    [t],
  );
  return (
    <DataTable
      isPageList
      label={t('files.tabs.tags')}
      columns={columns}
      rowCount={tags.length}
      rowAt={(index) => tags[index]}
      empty={t('files.noTags')}
    />
  );
}

/** Lists what analyzers could not do. */
export function ErrorTable({ errors }: { readonly errors: readonly ReportError[] }) {
  const { t } = useTranslation();
  const columns = useMemo<Column<ReportError>[]>(
    () => [
      {
        id: 'service',
        title: t('files.analyzer'),
        width: 160,
        cell: ({ service }) => <Value value={service} inline />,
      },
      { id: 'status', title: t('files.state'), width: 176, cell: ({ status }) => <Value value={status} inline /> },
      {
        id: 'message',
        title: t('files.message'),
        width: 320,
        grow: true,
        cell: ({ message }) => <Value value={message} inline limit={500} />,
      },
    ],
    [t],
  );
  return (
    <DataTable
      isPageList
      label={t('files.tabs.errors')}
      columns={columns}
      rowCount={errors.length}
      rowAt={(index) => errors[index]}
      empty={t('files.noErrors')}
    />
  );
}
