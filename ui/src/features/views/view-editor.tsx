import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { quotedPhrase } from '../../../../src/datastore/query-language/written-values.ts';
import { alerts } from '../../api/clients.ts';
import { buttonClass } from '../../design/controls/button-class.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { mayChange, mayDelete, useMe } from '../../shell/ownership.ts';
import type { View } from '../alerts/list/search/view-search.ts';
import { viewsQuery } from '../query/sources/saved-views.ts';
import { useViewTitle } from '../query/sources/view-title.ts';
import { DeleteButton } from '../saved/delete-button.tsx';
import { Dependants } from '../saved/dependants.tsx';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { OwnedFacts } from '../saved/owned-facts.tsx';
import { Permissions } from '../saved/permissions.tsx';
import { FoundAlerts } from '../saved/preview.tsx';
import styles from '../saved/saved.module.css';
import { useViewForm, ViewForm } from './view-form.tsx';

interface Props {
  /** Undefined: a new one. */
  readonly view: View | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** Edits a view beside the newest alerts that it finds; says who may use it, and deletes it. */
export function ViewEditor({ view, onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey });
  const { form, question } = useViewForm(view, async (saved) => {
    await refresh();
    showToast(t('saved.done', { name: saved.title }));
    if (view === undefined) onOpen(saved.view_id);
  });
  const found = useNewestAlerts(form.values.query, form.values.indexes.join(',') || 'hit');
  const mayEdit = view === undefined || (view.type !== 'readonly' && mayChange(me, view));
  const facts = view && (
    <OwnedFacts
      owner={view.owner}
      query={view.query}
      reason={t(view.type === 'readonly' ? 'views.builtIn' : 'saved.notYours')}
    />
  );
  const change = (request: Promise<unknown>) => request.then(refresh);
  return (
    <EditorLayout onBack={() => onOpen(undefined)} preview={<FoundAlerts found={found} />}>
      {mayEdit ? <ViewForm form={form} found={found} isNew={view === undefined} /> : facts}
      {question}
      {view === undefined ? null : (
        <>
          <div className={styles.line}>
            <Link to="/alerts" search={{ view: view.view_id }} className={buttonClass()}>
              {t('views.open')}
            </Link>
            {mayEdit ? (
              <DeleteView
                view={view}
                refused={mayDelete(me, view) ? undefined : t('saved.notDeletable')}
                onDeleted={() => {
                  onOpen(undefined);
                  return refresh();
                }}
              />
            ) : null}
          </div>
          <Permissions
            object={view}
            mayChange={mayEdit}
            grant={(body) => change(alerts.PUT('/api/v1/view/{id}/permission', { params: pathOf(view), body }))}
            revoke={(body) => change(alerts.DELETE('/api/v1/view/{id}/permission', { params: pathOf(view), body }))}
          />
        </>
      )}
    </EditorLayout>
  );
}

const pathOf = ({ view_id: id }: View) => ({ path: { id } });

interface DeleteProps {
  readonly view: View;
  readonly refused: string | undefined;
  readonly onDeleted: () => unknown;
}

function DeleteView({ view, refused, onDeleted }: DeleteProps) {
  const { t } = useTranslation();
  const titleOf = useViewTitle();
  return (
    <DeleteButton
      name={titleOf(view)}
      refused={refused}
      onDelete={async () => {
        await alerts.DELETE('/api/v1/view/{view_id}', { params: { path: { view_id: view.view_id } } });
        await onDeleted();
      }}
    >
      <Dependants query={`favourite_views:${quotedPhrase(view.view_id)}`} index="user">
        {(count) => t('views.favouriteOf', { count })}
      </Dependants>
      <p>{t('views.deleteText')}</p>
    </DeleteButton>
  );
}
