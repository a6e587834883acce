import { useMemo, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { copyText } from '../../../../design/data/values/copy.ts';
import { Value } from '../../../../design/data/values/value.tsx';
import { Toolbar } from '../../../../design/layout/page.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { Alert } from '../../triage/alert.ts';
import { recordOf } from '../fields/record-fields.ts';
import styles from './tabs.module.css';

/** Characters drawn at first: a record may have 5 MB. */
const STEP = 100_000;

/** Draws the record as JSON, a part at a time. */
export function RawTab({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(STEP);
  const text = useMemo(() => JSON.stringify(recordOf(alert), null, 2), [alert]);
  const isCut = text.length > limit;
  return (
    <div className={styles.tab}>
      <Toolbar label={t('alert.raw.actions')}>
        <Button onClick={() => void copyText(text)}>{t('common.copy')}</Button>
      </Toolbar>
      <div className={styles.raw}>
        <Value value={text.slice(0, limit)} lines limit={limit} />
      </div>
      {isCut && (
        <Button onClick={() => setLimit(limit + 5 * STEP)}>
          {t('alert.raw.more', { shown: limit, total: text.length })}
        </Button>
      )}
    </div>
  );
}
