import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import { caseApi } from '../cases/case-api.ts';
import { CASE_LIST_KEY } from '../cases/detail/use-case.ts';
import { openTasksOf, tasksQuery } from '../cases/tasks-query.ts';
import { Card } from './card.tsx';
import styles from './home.module.css';

const SHOWN = 6;
const CASES = 50;

/** The open tasks that cases have for the reader. */
export function TaskCard() {
  const { t } = useTranslation();
  const { username } = useSession().session;
  const query = tasksQuery(username);
  const result = useQuery({
    queryKey: [...CASE_LIST_KEY, 'tasks', query],
    queryFn: async ({ signal }) => {
      const search = { query, sort: 'updated desc', offset: 0, rows: CASES };
      return openTasksOf(username, (await caseApi.search(search, signal)).items);
    },
  });
  return (
    <Card title={t('home.myTasks')} cases={query} result={result}>
      {(tasks) =>
        tasks.length === 0 ? (
          <p className={styles.empty}>{t('home.noTask')}</p>
        ) : (
          <ul className={styles.rows}>
            {tasks.slice(0, SHOWN).map(({ task, present }) => (
              <li key={`${present.case_id} ${task.id}`}>
                <Link to="/cases/$id" params={{ id: present.case_id }} search={{ tab: 'tasks' }} className={styles.row}>
                  <span className={styles.words}>
                    <Value value={task.summary} inline />
                  </span>
                  <span className={styles.words}>
                    <Value value={present.title} inline />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Card>
  );
}
