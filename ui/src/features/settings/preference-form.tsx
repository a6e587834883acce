import { useState } from 'react';
import { RadioGroup } from '../../design/forms/choices/radio-group.tsx';
import { Switch } from '../../design/forms/choices/switch.tsx';
import { LANGUAGES, type Language, showLanguage } from '../../i18n/i18n.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { DEFAULT_KEYS } from '../../keys/key-map.ts';
import { preferences, usePreferences } from '../../shell/preferences.ts';
import { askToNotify, mayNotify } from '../notifications/permission.ts';
import { KeyEditor } from './key-editor.tsx';
import styles from './settings.module.css';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** The choices of a person for all browsers; every choice acts at once. */
export function PreferenceForm() {
  const { t, i18n } = useTranslation();
  const {
    theme,
    density = 'compact',
    timeZone = 'local',
    copy = 'plain',
    notifications = false,
    keys = DEFAULT_KEYS,
  } = usePreferences();
  const [isDenied, setDenied] = useState(false);
  const setLanguage = (language: Language) => {
    preferences.set({ language });
    void showLanguage(language);
  };
  const setNotifications = async (wanted: boolean) => {
    const isAllowed = !wanted || (await askToNotify());
    setDenied(!isAllowed);
    preferences.set({ notifications: wanted && isAllowed });
  };
  return (
    <div className={styles.sections}>
      <section className={styles.section} aria-labelledby="settings-look">
        <h2 id="settings-look">{t('settings.preferences.look')}</h2>
        <RadioGroup
          label={t('settings.preferences.language')}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          value={i18n.language as Language}
          onChange={setLanguage}
        />
        <RadioGroup
          label={t('settings.preferences.theme')}
          options={(['system', 'dark', 'light'] as const).map((value) => ({
            value,
            label: t(`settings.preferences.themes.${value}`),
          }))}
          value={theme ?? 'system'}
          onChange={(value) => preferences.set({ theme: value === 'system' ? undefined : value })}
        />
        <RadioGroup
          label={t('settings.preferences.density')}
          options={(['compact', 'comfortable'] as const).map((value) => ({
            value,
            label: t(`settings.preferences.densities.${value}`),
          }))}
          value={density}
          onChange={(value) => preferences.set({ density: value })}
        />
        <RadioGroup
          label={t('settings.preferences.timeZone')}
          options={(['local', 'utc'] as const).map((value) => ({
            value,
            label: t(`settings.preferences.timeZones.${value}`),
          }))}
          value={timeZone}
          onChange={(value) => preferences.set({ timeZone: value })}
        />
        <RadioGroup
          label={t('settings.preferences.copy')}
          options={(['plain', 'defanged'] as const).map((value) => ({
            value,
            label: t(`settings.preferences.copies.${value}`),
          }))}
          value={copy}
          onChange={(value) => preferences.set({ copy: value })}
        />
        <Switch
          label={t('settings.preferences.notifications')}
          hint={isDenied ? t('settings.preferences.notificationsDenied') : undefined}
          value={notifications && mayNotify()}
          onChange={(wanted) => void setNotifications(wanted)}
        />
      </section>
      <section className={styles.section} aria-labelledby="settings-keys">
        <h2 id="settings-keys">{t('settings.preferences.keys')}</h2>
        <Switch
          label={t('settings.preferences.singleKeys')}
          hint={t('settings.preferences.singleKeysHint')}
          value={keys.singleKeys}
          onChange={(singleKeys) => preferences.set({ keys: { ...keys, singleKeys } })}
        />
        <KeyEditor keys={keys} onChange={(next) => preferences.set({ keys: next })} />
      </section>
    </div>
  );
}
