import { type ReactElement, useContext } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import {
  type ClassificationChoice,
  type ClassificationNames,
  readChoice,
  writeChoice,
} from '../../data/classification/classification-choice.ts';
import { ClassificationContext, ClassificationMark } from '../../data/marks/classification-marks.tsx';
import styles from './classification-field.module.css';
import { MultiCombobox } from './multi-combobox.tsx';
import { Select } from './select.tsx';

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Path of the value in what is sent. */
  readonly name?: string | undefined;
  /** The classification; an empty string where none is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Draws the choice of a classification by the parts that the definition has, and the result. */
export function ClassificationField({ label, hint, error, name, value, onChange }: Props): ReactElement | null {
  const { t } = useTranslation();
  const names: ClassificationNames = useContext(ClassificationContext) ?? {};
  const choice = readChoice(value, names);
  const change = (part: Partial<ClassificationChoice>) => onChange(writeChoice({ ...choice, ...part }, names));
  const marks = [
    { part: 'required', options: optionsOf(names.access_req_map_stl, names), allowNew: false },
    { part: 'groups', options: optionsOf(names.groups_map_stl, names), allowNew: names.dynamic_groups === true },
    { part: 'subgroups', options: optionsOf(names.subgroups_map_stl, names), allowNew: false },
  ] as const;
  return (
    <fieldset className={styles.parts}>
      <legend>{label}</legend>
      <Select
        label={t('data.classification.level')}
        options={optionsOf(names.levels_map_stl, names)}
        value={choice.level}
        onChange={(level) => change({ level })}
        placeholder={t('data.classification.unset')}
        hint={hint}
        error={error}
        name={name}
      />
      {choice.level === undefined
        ? null
        : marks
            .filter(({ options, allowNew }) => options.length > 0 || allowNew)
            .map(({ part, options, allowNew }) => (
              <MultiCombobox
                key={part}
                label={t(`data.classification.${part}`)}
                options={options}
                allowNew={allowNew}
                optional
                value={choice[part]}
                onChange={(chosen) => change({ [part]: chosen })}
              />
            ))}
      <p className={styles.result} aria-live="polite">
        {value === '' ? null : <ClassificationMark value={value} />}
      </p>
    </fieldset>
  );
}

function optionsOf(longByShort: Readonly<Record<string, string>> = {}, { description = {} }: ClassificationNames) {
  return Object.entries(longByShort).map(([value, label]) => ({ value, label, detail: description[value] }));
}
