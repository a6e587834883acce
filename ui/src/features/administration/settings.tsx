import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { operations } from '../../api/clients.ts';
import { Value } from '../../design/data/values/value.tsx';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { SearchField } from '../../design/forms/search-field.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';

/** The settings in force, and where each of them comes from. */
export function Settings() {
  const { t } = useTranslation();
  const { q = '' } = useSearch({ from: '/administration/$section' });
  const navigate = useNavigate({ from: '/administration/$section' });
  const [onlySet, setOnlySet] = useState(false);
  const label = t('administration.sections.settings');
  const result = useOperation(['settings'], (signal) => operations.GET('/v1/settings', { signal }));
  const wanted = q.toLowerCase();
  const tools = (
    <>
      <div className={styles.search}>
        <SearchField
          label={t('common.search')}
          value={q}
          onChange={(text) =>
            void navigate({ search: (before) => ({ ...before, q: text === '' ? undefined : text }), replace: true })
          }
        />
      </div>
      <Checkbox label={t('administration.settings.onlySet')} value={onlySet} onChange={setOnlySet} />
    </>
  );
  return (
    <Reading label={label} result={result} tools={tools}>
      {({ settings }) => (
        <SimpleTable
          isPageList
          label={label}
          rows={settings.filter(
            ({ key, description, source }) =>
              `${key} ${description}`.toLowerCase().includes(wanted) && (!onlySet || source !== 'default'),
          )}
          keyOf={({ key }) => key}
          columns={[
            {
              id: 'key',
              title: t('administration.settings.setting'),
              cell: ({ key, description }) => (
                <>
                  <Value value={key} isName copy />
                  <div className={styles.detail}>
                    <CodeWords text={description} />
                  </div>
                </>
              ),
            },
            {
              id: 'value',
              title: t('administration.settings.value'),
              cell: ({ value, secret }) =>
                secret ? (
                  t(value === null ? 'administration.settings.notSet' : 'administration.settings.secret')
                ) : (
                  <Value value={written(value)} />
                ),
            },
            {
              id: 'default',
              title: t('administration.settings.default'),
              cell: ({ default: usual, secret }) => (secret ? '–' : <Value value={written(usual)} />),
            },
            {
              id: 'source',
              title: t('administration.settings.source'),
              cell: ({ source, places }) => (
                <div className={styles.source}>
                  {places.length === 0 ? t(`administration.settings.sources.${source}`) : places.join(', ')}
                </div>
              ),
            },
          ]}
        />
      )}
    </Reading>
  );
}

function written(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Draws the parts between backticks in the font of values. */
function CodeWords({ text }: { readonly text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name.
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
