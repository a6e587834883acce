import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { operations } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { ClassificationMark } from '../../design/data/marks/classification-marks.tsx';
import { CopyButton } from '../../design/data/values/copy-button.tsx';
import { Tags } from '../../design/data/values/tags.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SearchField } from '../../design/forms/search-field.tsx';
import { useLater } from '../../design/forms/use-later.ts';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands, useKeys } from '../../keys/commands.tsx';
import { usersQuery } from '../users/search-users.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';
import { UserDetails } from './user-details.tsx';
import { NewUserForm } from './user-form.tsx';

const ROWS = 200;

/** All accounts: who they are, what they may do; new ones, and changes of each. */
export function Users() {
  const { t } = useTranslation();
  const { q = '', id } = useSearch({ from: '/administration/$section' });
  const navigate = useNavigate({ from: '/administration/$section' });
  const [isCreating, setCreating] = useState(false);
  const [password, setPassword] = useState<string | undefined>(undefined);
  const label = t('administration.sections.users');
  const createKeys = useKeys('create');
  useCommands([{ id: 'create', name: t('administration.users.create'), run: () => setCreating(true) }]);
  const open = (user: string | undefined) => void navigate({ search: (before) => ({ ...before, id: user }) });
  const query = usersQuery(useLater(q));
  const result = useOperation(['users', query], (signal) =>
    operations.GET('/v1/users', { params: { query: { rows: ROWS, query } }, signal }),
  );
  const tools = (
    <>
      <div className={styles.search}>
        <SearchField
          label={t('administration.users.search')}
          value={q}
          onChange={(text) =>
            void navigate({ search: (before) => ({ ...before, q: text === '' ? undefined : text }), replace: true })
          }
        />
      </div>
      <Button icon={Plus} keys={createKeys} onClick={() => setCreating(true)}>
        {t('administration.users.create')}
      </Button>
    </>
  );
  return (
    <Reading label={label} result={result} tools={tools}>
      {({ users, total }) => (
        <>
          <SimpleTable
            isPageList
            label={label}
            rows={users}
            keyOf={({ username }) => username}
            columns={[
              {
                id: 'username',
                title: t('administration.users.username'),
                cell: ({ username }) => (
                  <Link from="/administration/$section" search={(before) => ({ ...before, id: username })}>
                    <Value value={username} inline />
                  </Link>
                ),
              },
              { id: 'name', title: t('common.name'), cell: ({ name }) => <Value value={name} /> },
              {
                id: 'types',
                title: t('administration.users.types'),
                cell: ({ types, analysis_types: further }) => <Tags values={[...types, ...further]} />,
              },
              {
                id: 'clearance',
                title: t('administration.users.clearance'),
                cell: ({ classification }) => <ClassificationMark value={classification} />,
              },
              {
                id: 'state',
                title: t('administration.state'),
                cell: ({ is_active: isActive }) =>
                  t(isActive ? 'administration.users.active' : 'administration.users.off'),
              },
            ]}
          />
          {total > users.length && <p>{t('administration.users.more', { count: users.length, total })}</p>}
          <Dialog open={isCreating} onClose={() => setCreating(false)} title={t('administration.users.create')}>
            <NewUserForm
              onCreated={(made) => {
                setCreating(false);
                setPassword(made);
              }}
            />
          </Dialog>
          <Dialog open={id !== undefined} onClose={() => open(undefined)} title={id ?? ''} size="large">
            {id === undefined ? null : (
              <UserDetails username={id} onPassword={setPassword} onDeleted={() => open(undefined)} />
            )}
          </Dialog>
          <Dialog
            open={password !== undefined}
            onClose={() => setPassword(undefined)}
            title={t('administration.users.password')}
            description={t('administration.users.passwordOnce')}
            size="small"
          >
            <p>
              <Value value={password} /> <CopyButton value={password ?? ''} plain />
            </p>
          </Dialog>
        </>
      )}
    </Reading>
  );
}
