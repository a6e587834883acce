import { Checkbox } from '../../../design/forms/choices/checkbox.tsx';
import { Form, FormRow } from '../../../design/forms/form.tsx';
import { forgetDraft } from '../../../design/forms/form-draft.ts';
import { TextArea } from '../../../design/forms/text-area.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import { mistakeOf } from '../../query/language/mistake-of.ts';
import { useDraftName } from '../../saved/draft-name.ts';
import type { CaseRule, NewRule } from '../case-api.ts';

interface Props {
  readonly caseId: string;
  /** The rule to change. Undefined: a new one, which also says what it looks at. */
  readonly rule?: CaseRule | undefined;
  readonly onCancel: () => void;
  readonly onSave: (rule: NewRule) => Promise<void>;
}

/** Asks for a new rule, or for other members of one. Its query is read here: the service takes any. */
export function RuleForm({ caseId, rule, onCancel, onSave }: Props) {
  const { t } = useTranslation();
  const draft = useDraftName('case-rule', rule === undefined ? caseId : `${caseId}.${rule.rule_id}`);
  const form = useForm({
    draft,
    initial: {
      query: rule?.query ?? '',
      destination: rule?.destination ?? 'related/{{howler.analytic}} ({{howler.id}})',
      timeframe: rule?.timeframe === undefined ? '' : String(rule.timeframe),
      afterResolved: rule?.expire_after_resolved ?? false,
      hits: rule?.indexes?.includes('hit') ?? true,
      events: rule?.indexes?.includes('event') ?? false,
    },
    validate: ({ query, destination, timeframe, hits, events }) => ({
      query: query.trim() === '' ? t('common.required') : mistakeOf(query),
      destination: destination.trim() === '' ? t('common.required') : undefined,
      timeframe: /^\d{0,5}$/.test(timeframe) && timeframe !== '0' ? undefined : t('cases.rules.wrongDays'),
      hits: hits || events ? undefined : t('cases.rules.noIndex'),
    }),
    submit: ({ query, destination, timeframe, afterResolved, hits, events }) =>
      onSave({
        query: query.trim(),
        destination: destination.trim(),
        indexes: [...(hits ? (['hit'] as const) : []), ...(events ? (['event'] as const) : [])],
        timeframe: timeframe === '' ? null : Number(timeframe),
        expire_after_resolved: timeframe !== '' && afterResolved,
      }),
  });
  const cancel = () => {
    forgetDraft(draft);
    onCancel();
  };
  return (
    <Form
      form={form}
      label={t(rule === undefined ? 'cases.rules.add' : 'cases.rules.edit')}
      submitLabel={t(rule === undefined ? 'common.create' : 'common.save')}
      onCancel={cancel}
      // A change that was kept back for that of another person can be sent again as it is.
      allowUnchanged={rule !== undefined}
    >
      <TextArea label={t('cases.rules.query')} rows={3} data required autoFocus {...form.field('query')} />
      <TextField
        label={t('cases.rules.destination')}
        hint={t('cases.rules.destinationHint', { example: '{{howler.analytic}}' })}
        data
        required
        {...form.field('destination')}
      />
      {rule === undefined && (
        <FormRow>
          <Checkbox label={t('cases.rules.hits')} {...form.field('hits')} />
          <Checkbox label={t('cases.rules.events')} {...form.field('events')} />
        </FormRow>
      )}
      <TextField
        label={t('cases.rules.timeframe')}
        hint={t('cases.rules.timeframeHint')}
        inputMode="numeric"
        optional
        {...form.field('timeframe')}
      />
      {form.values.timeframe === '' ? null : (
        <Checkbox label={t('cases.rules.afterResolved')} {...form.field('afterResolved')} />
      )}
    </Form>
  );
}
