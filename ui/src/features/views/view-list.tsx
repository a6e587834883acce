import { Link } from '@tanstack/react-router';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SearchField } from '../../design/forms/search-field.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useAccount } from '../../shell/session-context.tsx';
import type { View } from '../alerts/list/search/view-search.ts';
import { useViewTitle } from '../query/sources/view-title.ts';
import { collapseWords } from '../query/words/collapse-words.ts';
import styles from '../saved/saved.module.css';
import type { ObjectAddress } from '../saved/use-object-address.ts';
import { FavouriteView } from './favourite-view.tsx';

interface Props {
  readonly views: readonly View[];
  readonly address: ObjectAddress;
}

/** Draws the views that this account sees, its favourites first. */
export function ViewList({ views, address }: Props) {
  const { t } = useTranslation();
  const titleOf = useViewTitle();
  const favourites = useAccount().data?.favourite_views ?? [];
  const typed = address.words.trim().toLowerCase();
  const rank = ({ view_id: id }: View) => (favourites.includes(id) ? 0 : 1);
  const rows = views
    .filter((view) => [titleOf(view), view.query, view.owner].some((part) => part?.toLowerCase().includes(typed)))
    .toSorted((one, other) => rank(one) - rank(other));
  return (
    <div className={styles.list}>
      <div className={styles.search}>
        <SearchField label={t('views.search')} value={address.words} onChange={address.search} />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={t(views.length === 0 ? 'views.empty' : 'views.noMatch')} />
      ) : (
        <SimpleTable
          isPageList
          label={t('views.title')}
          rows={rows}
          keyOf={({ view_id: id }) => id}
          columns={[
            { id: 'favourite', cell: (view) => <FavouriteView id={view.view_id} title={titleOf(view)} /> },
            {
              id: 'title',
              title: t('views.name'),
              cell: (view) => (
                <Link to="/alerts" search={{ view: view.view_id }}>
                  {titleOf(view)}
                </Link>
              ),
            },
            { id: 'type', title: t('saved.type'), cell: ({ type }) => t(`saved.types.${type}`) },
            { id: 'owner', title: t('saved.owner'), cell: ({ owner }) => <UserName user={owner} /> },
            {
              id: 'query',
              title: t('saved.query'),
              cell: ({ query }) => <Value value={collapseWords(query)} limit={120} inline />,
            },
            {
              id: 'edit',
              align: 'end',
              cell: (view) => (
                <Link
                  to="/views"
                  search={(before) => ({ ...before, id: view.view_id })}
                  aria-label={t('saved.editOf', { name: titleOf(view) })}
                >
                  {t('common.edit')}
                </Link>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}
