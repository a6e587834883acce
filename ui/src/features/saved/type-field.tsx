import { UserName } from '../../design/data/values/user-name.tsx';
import { RadioGroup } from '../../design/forms/choices/radio-group.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { type Translate, useTranslation } from '../../i18n/translation.ts';
import styles from './saved.module.css';

/** Types that people choose; built-in objects are made by the program. */
const TYPES = ['personal', 'global'] as const;
type ObjectType = (typeof TYPES)[number];

/** Draws the choice of who an object is for. */
export function TypeField(field: BoundField<ObjectType>) {
  const { t } = useTranslation();
  return (
    <RadioGroup
      label={t('saved.type')}
      options={TYPES.map((value) => ({ value, label: typeName(t, value) }))}
      {...field}
    />
  );
}

interface ReachProps {
  readonly type: string;
  /** Undefined: it is for all users. */
  readonly owner?: string | undefined;
}

/** Draws who a template is for in a cell: its owner, or all users, in one line. */
export function Reach({ type, owner }: ReachProps) {
  const { t } = useTranslation();
  return <span className={styles.oneLine}>{owner ? <UserName user={owner} /> : typeName(t, type)}</span>;
}

/** Returns who an object of a type is for, in words. */
export function typeName(t: Translate, type: unknown): string {
  const known = ([...TYPES, 'readonly'] as const).find((one) => one === type);
  return known === undefined ? String(type) : t(`saved.types.${known}`);
}
