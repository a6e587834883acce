import { useMutation, useQueryClient } from '@tanstack/react-query';
import { operations } from '../../api/clients.ts';
import type { components } from '../../api/generated/operations.ts';
import { Button } from '../../design/controls/button.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { Reading, useOperation } from './reading.tsx';

type LockOut = components['schemas']['LockOut'];

/** Failed sign-ins by user and address, and who is locked out because of them. */
export function LockOuts() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const label = t('administration.sections.lock-outs');
  const result = useOperation(['lock-outs'], (signal) => operations.GET('/v1/lock-outs', { signal }));
  const lift = useMutation({
    mutationFn: ({ user, network }: LockOut) =>
      operations.DELETE('/v1/lock-outs', {
        params: { query: user === null ? { address: network ?? '' } : { user } },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['operations', 'lock-outs'] }),
  });
  return (
    <Reading label={label} result={result}>
      {({ lock_outs: lockOuts }) =>
        lockOuts.length === 0 ? (
          <EmptyState title={t('administration.lockOuts.empty')}>{t('administration.lockOuts.emptyText')}</EmptyState>
        ) : (
          <>
            {lift.error === null ? null : <ProblemPanel problem={lift.error} />}
            <SimpleTable<LockOut>
              isPageList
              label={label}
              rows={lockOuts}
              keyOf={({ kind, user, network }) => `${kind} ${user} ${network}`}
              columns={[
                {
                  id: 'who',
                  title: t('administration.lockOuts.who'),
                  cell: ({ user, network }) => <Value value={user ?? network} />,
                },
                {
                  id: 'failures',
                  title: t('administration.lockOuts.failures'),
                  align: 'end',
                  cell: ({ failures, limit }) => `${failures} / ${limit}`,
                },
                {
                  id: 'state',
                  title: t('administration.state'),
                  cell: ({ locked }) => t(locked ? 'administration.lockOuts.locked' : 'administration.lockOuts.open'),
                },
                {
                  id: 'ends',
                  title: t('administration.lockOuts.ends'),
                  cell: ({ ends_at: ends }) => <Time value={ends} />,
                },
                {
                  id: 'lift',
                  cell: (lockOut) => (
                    <Button
                      kind="quiet"
                      aria-label={t('administration.lockOuts.liftOf', { name: lockOut.user ?? lockOut.network ?? '' })}
                      busy={lift.isPending}
                      onClick={() => lift.mutate(lockOut)}
                    >
                      {t('administration.lockOuts.lift')}
                    </Button>
                  ),
                },
              ]}
            />
          </>
        )
      }
    </Reading>
  );
}
