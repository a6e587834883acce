import { escalationAppearance, statusAppearance } from '../../../design/data/marks/severity.ts';
import { Time } from '../../../design/data/values/time.tsx';
import { UserName } from '../../../design/data/values/user-name.tsx';
import type { Decide } from '../../../design/overlays/use-question.tsx';
import { type MessageKey, useTranslation } from '../../../i18n/translation.ts';
import { MemberConflictDialog } from '../../conflicts/member-conflict-dialog.tsx';
import type { CaseConflict, ConflictMember } from '../case-conflict.ts';
import { itemName } from '../items/item-tree.ts';

interface Props {
  readonly conflict: CaseConflict;
  readonly onDecide: Decide;
}

const NAMES: Readonly<Record<ConflictMember, MessageKey>> = {
  title: 'cases.members.title',
  summary: 'cases.members.summary',
  overview: 'cases.members.overview',
  status: 'cases.members.status',
  escalation: 'cases.members.escalation',
  participants: 'cases.members.participants',
  targets: 'cases.members.targets',
  threats: 'cases.members.threats',
  indicators: 'cases.members.indicators',
  query: 'cases.rules.query',
  destination: 'cases.rules.destination',
  timeframe: 'cases.rules.timeframe',
  expire_after_resolved: 'cases.rules.afterResolved',
  enabled: 'cases.rules.enabled',
  assignment: 'cases.tasks.assignment',
  item: 'cases.tasks.item',
  value: 'cases.items.content',
};

/** Members whose values have words. */
const APPEARANCES: Partial<Record<ConflictMember, typeof statusAppearance | typeof escalationAppearance>> = {
  status: statusAppearance,
  escalation: escalationAppearance,
};

/** Draws a change of a case beside what another person wrote meanwhile, and who that was. */
export function CaseConflictDialog({ conflict, onDecide }: Props) {
  const { t } = useTranslation();
  const last = conflict.case.log?.at(-1);
  const author = last && (
    <p>
      <UserName user={last.user} /> <Time value={last.timestamp} form="both" />
    </p>
  );
  return (
    <MemberConflictDialog
      title={t('cases.conflict')}
      conflict={conflict}
      nameOf={(member) => t(NAMES[member])}
      wordsOf={(member, value) => {
        const item = member === 'item' ? conflict.case.items?.find((one) => one.id === value) : undefined;
        if (item !== undefined) return itemName(item);
        const appearance = APPEARANCES[member]?.(String(value));
        return appearance === undefined ? value : t(`data.${appearance.message}`);
      }}
      author={author}
      onDecide={onDecide}
    />
  );
}
