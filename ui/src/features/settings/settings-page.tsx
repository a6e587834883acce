import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../design/layout/tabs.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { ApiKeys } from './api-keys.tsx';
import { PreferenceForm } from './preference-form.tsx';
import { Profile } from './profile.tsx';
import { SETTINGS_TABS, type SettingsTab } from './routes.ts';
import { SecondFactors } from './second-factors.tsx';
import { Sessions } from './sessions.tsx';

/** Draws the account of the user: profile, preferences, security, API keys and sessions. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { tab = 'profile' } = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const show = (next: SettingsTab) => void navigate({ search: { tab: next }, replace: true });
  const step = (by: number) => {
    const next = SETTINGS_TABS[SETTINGS_TABS.indexOf(tab) + by];
    if (next !== undefined) show(next);
  };
  useCommands([
    { id: 'previousTab', run: () => step(-1) },
    { id: 'nextTab', run: () => step(1) },
  ]);
  return (
    <Page title={t('settings.title')}>
      <Tabs
        label={t('settings.title')}
        tabs={SETTINGS_TABS.map((value) => ({ value, label: t(`settings.tabs.${value}`) }))}
        value={tab}
        onChange={show}
      >
        <TabPanel value="profile">
          <Profile />
        </TabPanel>
        <TabPanel value="preferences">
          <PreferenceForm />
        </TabPanel>
        <TabPanel value="security">
          <SecondFactors />
        </TabPanel>
        <TabPanel value="keys">
          <ApiKeys />
        </TabPanel>
        <TabPanel value="sessions">
          <Sessions />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
