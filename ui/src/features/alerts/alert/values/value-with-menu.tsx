import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../../design/controls/icon-button.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { Menu } from '../../../../design/overlays/menu.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { FieldValue } from './field-values.ts';
import { ValueMenuItems } from './value-menu-items.tsx';
import styles from './value-with-menu.module.css';

/** Characters of a value in the name of its button. */
const MAX_NAME = 60;

interface Props {
  readonly of: FieldValue;
  /** True for a date, which is shown in the zone of the reader and used as it is. */
  readonly isDate?: boolean;
}

/** Draws a value of a field with a button for its menu, which the right mouse button opens, too. */
export function ValueWithMenu({ of, isDate = false }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { field, value } = of;
  const name = value.length > MAX_NAME ? `${value.slice(0, MAX_NAME)}…` : value;
  const button = (
    <IconButton icon={MoreHorizontal} small label={t('alert.values.menu', { value: name })} className={styles.button} />
  );
  return (
    <span className={styles.value} data-field={field} data-value={value}>
      {isDate ? <Time value={value} form="both" precision="millisecond" /> : <Value value={value} />}
      {/* The menu itself exists while it is open: a record has up to 900 values. */}
      {isOpen ? (
        <Menu trigger={button} open onOpenChange={setOpen}>
          <ValueMenuItems of={of} />
        </Menu>
      ) : (
        <IconButton
          icon={MoreHorizontal}
          small
          label={t('alert.values.menu', { value: name })}
          className={styles.button}
          aria-haspopup="menu"
          onClick={() => setOpen(true)}
        />
      )}
    </span>
  );
}
