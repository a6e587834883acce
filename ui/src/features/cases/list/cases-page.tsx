import { useNavigate, useSearch } from '@tanstack/react-router';
import { Columns3, List, ListTodo, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ApiProblem } from '../../../api/problem.ts';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { Page } from '../../../design/layout/page.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands, useKeys } from '../../../keys/commands.tsx';
import { useConfiguration, useSession } from '../../../shell/session-context.tsx';
import { queryFields } from '../../query/language/query-fields.ts';
import { QueryBar } from '../../query/query-bar.tsx';
import { caseValues } from '../../query/sources/alert-values.ts';
import { useQuerySources } from '../../query/sources/use-query-sources.ts';
import { tasksQuery } from '../tasks-query.ts';
import { CaseBoard } from './case-board.tsx';
import { CaseTable } from './case-table.tsx';
import styles from './cases-page.module.css';
import { NewCaseDialog } from './new-case-dialog.tsx';
import { useCaseListChanges } from './use-case-list-changes.ts';

/** All cases that one may see, as a list or by status; new ones are created here. */
export function CasesPage() {
  const { t } = useTranslation();
  const { layout = 'list' } = useSearch({ from: '/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const [isCreating, setCreating] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const createKeys = useKeys('create');
  useCaseListChanges();
  const other = layout === 'list' ? 'board' : 'list';
  const changeLayout = () =>
    void navigate({ search: (before) => ({ ...before, layout: other === 'list' ? undefined : other }) });
  useCommands([
    { id: 'create', name: t('cases.create.title'), run: () => setCreating(true) },
    { id: 'changeLayout', name: t(`cases.layouts.${other}`), run: changeLayout },
  ]);
  return (
    <Page
      title={t('cases.title')}
      fit="fill"
      actions={
        <>
          <IconButton
            icon={other === 'board' ? Columns3 : List}
            label={t(`cases.layouts.${other}`)}
            keys={useKeys('changeLayout')}
            onClick={changeLayout}
          />
          <Button kind="primary" icon={Plus} keys={createKeys} onClick={() => setCreating(true)}>
            {t('cases.create.title')}
          </Button>
        </>
      }
    >
      <div className={styles.page}>
        <CaseSearchBar problem={problem} />
        {layout === 'list' ? <CaseTable onRefused={setProblem} /> : <CaseBoard />}
      </div>
      {isCreating ? <NewCaseDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function CaseSearchBar({ problem }: { readonly problem: ApiProblem | undefined }) {
  const { t } = useTranslation();
  const { q = '' } = useSearch({ from: '/cases' });
  const navigate = useNavigate({ from: '/cases' });
  const { session } = useSession();
  // The text of the address, until something is typed; the back button brings another one.
  const [typed, setTyped] = useState({ of: q, text: q });
  const text = typed.of === q ? typed.text : q;
  const [focusRequest, setFocusRequest] = useState(0);
  const { data: configuration } = useConfiguration();
  const catalogue = configuration?.indexes.case;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const { sources, history } = useQuerySources({ place: 'cases', load: caseValues });
  useCommands([{ id: 'query', run: () => setFocusRequest((count) => count + 1) }]);
  const mine = tasksQuery(session.username);
  const run = (query: string) =>
    void navigate({ search: (before) => ({ ...before, q: query === '' ? undefined : query }) });
  return (
    <search className={styles.search} aria-label={t('cases.title')}>
      <QueryBar
        value={text}
        onChange={(next) => setTyped({ of: q, text: next })}
        onRun={(query) => {
          history.add(query);
          run(query);
        }}
        fields={fields}
        sources={sources}
        problem={problem}
        refusedText={q}
        placeholder={t('cases.placeholder')}
        focusRequest={focusRequest}
      />
      <Button icon={ListTodo} aria-pressed={q === mine} onClick={() => run(q === mine ? '' : mine)}>
        {t('cases.tasks.mine')}
      </Button>
    </search>
  );
}
