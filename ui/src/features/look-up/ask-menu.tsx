import { Globe } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { Menu } from '../../design/overlays/menu.tsx';
import { MenuItem } from '../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { askable, type Source } from './ask.ts';
import styles from './look-up.module.css';
import type { Selector } from './text-rows.ts';

/** Values that the question shows. */
const SHOWN = 20;

interface Props {
  readonly selectors: readonly Selector[];
  readonly sources: readonly Source[];
  readonly onAsk: (source: Source) => void;
}

/**
 * Offers the sources outside of the installation. Each is asked alone, after a question that
 * names the values.
 */
export function AskMenu({ selectors, sources, onAsk }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Source>();
  const [isOpen, setOpen] = useState(false);
  const outside = sources.filter(({ reach }) => reach !== 'local');
  if (outside.length === 0) return null;
  const values = chosen === undefined ? [] : askable(chosen, selectors);
  return (
    <>
      <Menu align="end" trigger={<Button icon={Globe}>{t('lookUp.askOthers')}</Button>}>
        {outside.map((source) => {
          const count = askable(source, selectors).length;
          return (
            <MenuItem
              key={source.name}
              disabled={count === 0}
              detail={t(source.reach === 'passive' ? 'lookUp.passive' : 'lookUp.active', { count })}
              onSelect={() => {
                setChosen(source);
                setOpen(true);
              }}
            >
              {source.name}
            </MenuItem>
          );
        })}
      </Menu>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('lookUp.askTitle', { name: chosen?.name ?? '' })}
        confirmLabel={t('lookUp.ask', { name: chosen?.name ?? '' })}
        onConfirm={() => chosen && onAsk(chosen)}
        danger={chosen?.reach === 'active'}
      >
        <p>
          {t(chosen?.reach === 'passive' ? 'lookUp.passiveText' : 'lookUp.activeText', {
            name: chosen?.name ?? '',
            count: values.length,
          })}
        </p>
        <ul className={styles.values}>
          {values.slice(0, SHOWN).map(({ type, value }) => (
            <li key={`${type} ${value}`}>
              <Value value={value} limit={120} />
            </li>
          ))}
        </ul>
        {values.length > SHOWN && <p>{t('lookUp.andMore', { count: values.length - SHOWN })}</p>}
      </ConfirmDialog>
    </>
  );
}
