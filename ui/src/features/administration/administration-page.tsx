import { useNavigate, useParams } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { lateComponent } from '../../design/late/late-component.tsx';
import { Page } from '../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../design/layout/tabs.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { SECTIONS, type Section } from './routes.ts';

const VIEWS: Readonly<Record<Section, ComponentType>> = {
  health: lateComponent(async () => (await import('./health.tsx')).Health),
  users: lateComponent(async () => (await import('./users.tsx')).Users),
  jobs: lateComponent(async () => (await import('./jobs.tsx')).Jobs),
  queues: lateComponent(async () => (await import('./queues.tsx')).Queues),
  indices: lateComponent(async () => (await import('./indices.tsx')).Indices),
  migrations: lateComponent(async () => (await import('./migrations.tsx')).Migrations),
  settings: lateComponent(async () => (await import('./settings.tsx')).Settings),
  'lock-outs': lateComponent(async () => (await import('./lock-outs.tsx')).LockOuts),
  audit: lateComponent(async () => (await import('./audit.tsx')).Audit),
};

/** The state of the installation, and what administrators change in it. */
export function AdministrationPage() {
  const { t } = useTranslation();
  const { session } = useSession();
  const { section: asked } = useParams({ from: '/administration/$section' });
  const section = SECTIONS.find((one) => one === asked) ?? 'health';
  const navigate = useNavigate();
  const show = (next: Section) => void navigate({ to: '/administration/$section', params: { section: next } });
  const step = (by: number) => {
    const next = SECTIONS[SECTIONS.indexOf(section) + by];
    if (next !== undefined) show(next);
  };
  useCommands([
    { id: 'previousTab', run: () => step(-1) },
    { id: 'nextTab', run: () => step(1) },
  ]);
  const View = VIEWS[section];
  return (
    <Page title={t('administration.title')}>
      {session.is_admin ? (
        <Tabs
          label={t('administration.title')}
          tabs={SECTIONS.map((value) => ({ value, label: t(`administration.sections.${value}`) }))}
          value={section}
          onChange={show}
        >
          <TabPanel value={section}>
            <Suspense fallback={<Loading />}>
              <View />
            </Suspense>
          </TabPanel>
        </Tabs>
      ) : (
        <EmptyState title={t('administration.refused')}>{t('administration.refusedText')}</EmptyState>
      )}
    </Page>
  );
}
