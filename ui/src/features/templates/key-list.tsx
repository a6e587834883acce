import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { Field } from '../../design/forms/field.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useConfiguration } from '../../shell/session-context.tsx';
import styles from '../saved/saved.module.css';

/** Draws fields in the order in which they are shown: adds, moves and removes them. */
export function KeyList({ name, value, error, onChange }: BoundField<readonly string[]>) {
  const { t } = useTranslation();
  const fields = Object.entries(useConfiguration().data?.indexes.hit ?? {});
  const options = fields
    .filter(([field]) => !value.includes(field))
    .map(([field, { description }]) => ({ value: field, label: field, detail: description ?? '' }));
  const move = (from: number, to: number) => {
    const rest = value.toSpliced(from, 1);
    const moved = value[from];
    if (moved !== undefined && to >= 0 && to < value.length) onChange(rest.toSpliced(to, 0, moved));
  };
  return (
    <Field label={t('templates.keys')} name={name} error={error} group>
      {() => (
        <>
          <ol className={styles.found}>
            {value.map((key, index) => (
              <li key={key}>
                <span className={styles.grow}>
                  <Value value={key} isName />
                </span>
                <IconButton
                  small
                  icon={ArrowUp}
                  label={t('templates.up', { key })}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <IconButton
                  small
                  icon={ArrowDown}
                  label={t('templates.down', { key })}
                  disabled={index === value.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <IconButton
                  small
                  icon={X}
                  label={t('templates.remove', { key })}
                  onClick={() => onChange(value.toSpliced(index, 1))}
                />
              </li>
            ))}
          </ol>
          <Combobox
            key={value.length}
            label={t('templates.add')}
            data
            options={options}
            value={undefined}
            onChange={(key) => key !== undefined && onChange([...value, key])}
          />
        </>
      )}
    </Field>
  );
}
