import {
  CircleDot,
  CircleQuestionMark,
  FileText,
  Folder,
  FolderOpen,
  Link,
  type LucideIcon,
  ShieldAlert,
} from 'lucide-react';
import { Value } from '../../../design/data/values/value.tsx';
import { type Translate, useTranslation } from '../../../i18n/translation.ts';
import { type CaseItem, ITEM_TYPES, type ItemType } from '../case-api.ts';
import { type RecordNames, shownName } from './item-tree.ts';
import styles from './items.module.css';

const ICONS: Readonly<Record<ItemType, LucideIcon>> = {
  hit: ShieldAlert,
  event: CircleDot,
  case: FolderOpen,
  reference: Link,
  markdown: FileText,
  folder: Folder,
};

/** Returns the name of a type of items; one of a later version is named as it names itself. */
export function typeName(t: Translate, type: string): string {
  const known = knownType(type);
  return known === undefined ? t('cases.types.unknown', { type }) : t(`cases.types.${known}`);
}

function knownType(type: string): ItemType | undefined {
  return ITEM_TYPES.find((one) => one === type);
}

interface Props {
  /** Null: the case itself. */
  readonly item: CaseItem | null;
  readonly caseId: string;
  readonly caseTitle: string;
  readonly names: RecordNames;
}

/** Draws a row of the tree: what it is, its name, and marks. */
export function ItemLabel({ item, caseId, caseTitle, names }: Props) {
  const { t } = useTranslation();
  if (item === null) {
    return (
      <span className={styles.label}>
        <Value value={caseTitle} inline />
      </span>
    );
  }
  const known = knownType(item.type);
  const Icon = known === undefined ? CircleQuestionMark : ICONS[known];
  return (
    <span className={styles.label} data-hidden={!item.visible || undefined}>
      <Icon size={16} role="img" aria-label={typeName(t, item.type)} />
      <Value value={shownName(item, names)} inline />
      {item.type === 'case' && item.value === caseId ? (
        <span className={styles.quiet}>{t('cases.items.itself')}</span>
      ) : null}
      {item.visible ? null : <span className={styles.quiet}>{t('cases.items.hidden')}</span>}
    </span>
  );
}
