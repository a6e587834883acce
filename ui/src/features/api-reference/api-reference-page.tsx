import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SearchField } from '../../design/forms/search-field.tsx';
import { Page } from '../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../design/layout/tabs.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { useSession } from '../../shell/session-context.tsx';
import styles from './api-reference.module.css';
import { CodeWords } from './code-words.tsx';
import { foundRoutes, type OpenApiDocument, routesOf } from './openapi.ts';
import { referenceQuery } from './reference-query.ts';
import { RouteEntry } from './route-entry.tsx';
import { apiReferenceRoute, DESCRIBED, type Described } from './routes.ts';

/** The interfaces of all services, as the running program describes them. */
export function ApiReferencePage() {
  const { t } = useTranslation();
  const { session } = useSession();
  const { service = 'alerts' } = apiReferenceRoute.useSearch();
  // Administrators alone may read how to operate the installation.
  const described = DESCRIBED.filter((one) => one !== 'operations' || session.is_admin);
  const navigate = useNavigate({ from: '/api-reference' });
  const { data, error, refetch } = useQuery(referenceQuery(service));
  const show = (next: Described) =>
    void navigate({ search: ({ q }) => ({ q, service: next === 'alerts' ? undefined : next }) });
  const step = (by: number) => {
    const next = described[described.indexOf(service) + by];
    if (next !== undefined) show(next);
  };
  useCommands([
    { id: 'previousTab', run: () => step(-1) },
    { id: 'nextTab', run: () => step(1) },
  ]);
  return (
    <Page title={t('apiReference.title')} description={t('apiReference.description')}>
      <Tabs
        label={t('apiReference.title')}
        tabs={described.map((value) => ({ value, label: t(`apiReference.services.${value}`) }))}
        value={service}
        onChange={show}
      >
        <TabPanel value={service}>
          {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
          {data === undefined ? error === null && <Loading /> : <Reference service={service} document={data} />}
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function Reference({ service, document }: { readonly service: Described; readonly document: OpenApiDocument }) {
  const { t } = useTranslation();
  const { services, session } = useSession();
  const { q = '', route: open } = apiReferenceRoute.useSearch();
  const navigate = useNavigate({ from: '/api-reference' });
  const [words, setWords] = useState(q);
  const found = foundRoutes(routesOf(document), words);
  const groups = Map.groupBy(found, ({ tags }) => tags?.[0] ?? '');
  const caller = { address: services[service] ?? `${location.origin}${prefixOf(service)}`, username: session.username };
  return (
    <div className={styles.reference}>
      <p className={styles.quiet}>
        <CodeWords text={document.info.description} />
      </p>
      <search className={styles.search}>
        <SearchField
          label={t('apiReference.search')}
          value={words}
          onChange={(typed) => {
            setWords(typed);
            void navigate({ search: (before) => ({ ...before, q: typed === '' ? undefined : typed }), replace: true });
          }}
        />
      </search>
      <p role="status" className={styles.quiet}>
        {t('apiReference.found', { count: found.length })}
      </p>
      {found.length === 0 && <EmptyState title={t('apiReference.none')} />}
      {[...groups].map(([tag, routes]) => (
        <section key={tag} className={styles.group} aria-labelledby={`tag-${tag}`}>
          <h2 id={`tag-${tag}`}>{tag}</h2>
          <ul className={styles.routes}>
            {routes.map((route) => (
              <RouteEntry
                key={route.operationId}
                document={document}
                route={route}
                caller={caller}
                isOpen={route.operationId === open}
                onToggle={(isOpen) =>
                  void navigate({
                    search: (before) => ({ ...before, route: isOpen ? route.operationId : undefined }),
                    replace: true,
                  })
                }
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Operations have no listener of their own. */
function prefixOf(service: Described): string {
  return service === 'operations' ? '/services/operations' : '';
}
