import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { byCount } from '../../../api/value-counts.ts';
import { escalationAppearance } from '../../../design/data/marks/severity.ts';
import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { Toolbar } from '../../../design/layout/page.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { caseRecords } from '../case-records.ts';
import styles from './case.module.css';
import { ATTACK_FIELDS, ESCALATION_FIELD } from './timeline-query.ts';
import { CASES_KEY } from './use-case.ts';

interface Props {
  readonly caseId: string;
  readonly updated: string | undefined;
}

/** Narrows the timeline to an escalation, or to a tactic or technique, of those that its records have. */
export function TimelineFilters({ caseId, updated }: Props) {
  const { t } = useTranslation();
  const { escalation, attack } = useSearch({ from: '/cases/$id' });
  const navigate = useNavigate({ from: '/cases/$id' });
  const { data: facets = {} } = useQuery({
    queryKey: [...CASES_KEY, 'record-values', caseId, updated],
    queryFn: ({ signal }) => caseRecords.values(caseId, [ESCALATION_FIELD, ...ATTACK_FIELDS], signal),
    placeholderData: keepPreviousData,
  });
  const optionsOf = (field: string) =>
    byCount(facets[field]).map(({ value, count }) => ({ value, label: value, detail: String(count) }));
  const choose = (change: { escalation?: string | undefined; attack?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Toolbar label={t('cases.timeline.filters')}>
      <div className={styles.filter}>
        <Combobox
          label={t('cases.members.escalation')}
          optional
          options={optionsOf(ESCALATION_FIELD).map((option) => {
            const appearance = escalationAppearance(option.value);
            return appearance === undefined ? option : { ...option, label: t(`data.${appearance.message}`) };
          })}
          value={escalation}
          onChange={(value) => choose({ escalation: value })}
        />
      </div>
      <div className={styles.filter}>
        <Combobox
          label={t('cases.timeline.attack')}
          optional
          options={ATTACK_FIELDS.flatMap(optionsOf)}
          value={attack}
          onChange={(value) => choose({ attack: value })}
        />
      </div>
    </Toolbar>
  );
}
