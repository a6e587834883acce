import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operations } from '../../api/clients.ts';
import type { components } from '../../api/generated/operations.ts';
import { Button } from '../../design/controls/button.tsx';
import { Count } from '../../design/data/values/count.tsx';
import { formatBytes } from '../../design/data/values/numbers.ts';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';

type Row = components['schemas']['Index'] & { readonly collection: components['schemas']['Collection'] };

/** The indices of every collection, with their size and phase. */
export function Indices() {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [beginning, setBeginning] = useState<string | undefined>(undefined);
  const label = t('administration.sections.indices');
  const result = useOperation(['indices'], (signal) => operations.GET('/v1/indices', { signal }));
  const begin = useMutation({
    mutationFn: (collection: string) =>
      operations.POST('/v1/indices/{collection}/generations', { params: { path: { collection } } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['operations', 'indices'] }),
  });
  return (
    <Reading label={label} result={result}>
      {({ collections }) => (
        <>
          <SimpleTable<Row>
            isPageList
            label={label}
            rows={collections.flatMap((collection) => collection.indices.map((index) => ({ ...index, collection })))}
            keyOf={({ index }) => index}
            columns={[
              {
                id: 'index',
                title: t('administration.indices.index'),
                cell: ({ index, collection }) => (
                  <>
                    <Value value={index} />
                    <div className={styles.detail}>{collection.description}</div>
                  </>
                ),
              },
              {
                id: 'documents',
                title: t('administration.indices.documents'),
                align: 'end',
                cell: ({ documents }) => <Count value={documents} />,
              },
              {
                id: 'bytes',
                title: t('administration.indices.size'),
                align: 'end',
                cell: ({ bytes }) => formatBytes(bytes, i18n.language),
              },
              {
                id: 'phase',
                title: t('administration.indices.phase'),
                cell: ({ phase, write_blocked: blocked }) => (
                  <>
                    {t(`administration.indices.phases.${phase}`)}
                    {blocked ? ` · ${t('administration.indices.blocked')}` : ''}
                  </>
                ),
              },
              {
                id: 'created',
                title: t('administration.indices.created'),
                cell: ({ created_at: created }) => <Time value={created} />,
              },
              {
                id: 'begin',
                cell: ({ collection, phase }) =>
                  collection.has_generations && phase === 'writes' ? (
                    <Button
                      kind="quiet"
                      aria-label={t('administration.indices.beginOf', { collection: collection.collection })}
                      onClick={() => setBeginning(collection.collection)}
                    >
                      {t('administration.indices.begin')}
                    </Button>
                  ) : null,
              },
            ]}
          />
          <ConfirmDialog
            open={beginning !== undefined}
            onClose={() => setBeginning(undefined)}
            title={t('administration.indices.begin')}
            confirmLabel={t('administration.indices.begin')}
            onConfirm={() => (beginning === undefined ? undefined : begin.mutateAsync(beginning))}
          >
            {t('administration.indices.beginText', { collection: beginning ?? '' })}
          </ConfirmDialog>
        </>
      )}
    </Reading>
  );
}
